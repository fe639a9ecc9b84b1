import { beforeEach, expect, test } from 'vitest'
import { createBugWebhooks } from '../../../test/fixtures/bug-webhooks.ts'
import { MARA, type TestPerson, UMA } from '../../../test/fixtures/people.ts'
import { BUGS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { allowLoopback, payloadOf, startReceiver } from '../../../test/peers/webhook-receiver.ts'

const { api, context } = await startWorld()
const receiver = await startReceiver()
beforeEach(() => allowLoopback(api))
const { hook: createHook, report } = createBugWebhooks(api, receiver)

async function lastDelivery(hook: number, as: TestPerson) {
  await drainWorker(context)
  const [last] = (await api.get(`/webhooks/${hook}/deliveries`, { as })).json
  return (await api.get(`/webhooks/${hook}/deliveries/${last.id}`, { as })).json
}

test.each([
  { of: `projects/${ORCHARD}`, payload: 'event' },
  { of: `trackers/${BUGS}`, payload: 'event' },
  { of: `trackers/${BUGS}`, payload: 'original' },
])(
  'readers of everything see the whole body of a hook of $of that sends the format $payload',
  async ({ of, payload }) => {
    const { id } = await createHook({ payload }, of)
    await report()
    expect(await lastDelivery(id, MARA)).toMatchObject({ body_withheld: false, body_cut: false })
  },
)

test('a body is shown whole after the hook has changed its format', async () => {
  const { id } = await createHook({ payload: 'event' })
  await report()
  await drainWorker(context)
  await api.patch(`/webhooks/${id}`, { as: MARA, body: { payload: 'original' } })
  expect(await lastDelivery(id, MARA)).toMatchObject({ body_withheld: false, body_cut: false })
})

test.each(['form', 'json'])('a body that was cut is still of the format %s', async (format) => {
  const { id } = await createHook({ format }, `trackers/${BUGS}`, UMA)
  const body = { tracker: { id: BUGS }, values_by_field: { summary: 'It leaks', budget: 4711 } }
  const { json: reported } = await api.post('/artifacts', { as: MARA, body })
  const { request, body_cut } = await lastDelivery(id, UMA)
  expect([body_cut, request.body.startsWith('payload=')]).toEqual([true, format === 'form'])
  expect(payloadOf(request)).toMatchObject({ id: reported.id })
})
