import { beforeEach, describe, expect, test } from 'vitest'
import { createBugWebhooks } from '../../../test/fixtures/bug-webhooks.ts'
import { ADA, MARA, type TestPerson, UMA } from '../../../test/fixtures/people.ts'
import { BUGS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { allowLoopback, payloadOf, startReceiver } from '../../../test/peers/webhook-receiver.ts'
import { findUsableViewer } from '../../accounts/sign-in/find-viewer.ts'
import { cutDelivery } from './cut-delivery-log.ts'
import type { ShownDelivery, WholeDelivery } from './delivery.ts'
import { findDelivery } from './enqueue-deliveries.ts'

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

describe('a delivery as it is stored', () => {
  const HOOK_OF_BUGS = { project_id: ORCHARD, tracker_id: BUGS }

  /** A delivery of the newest artifact in Bugs, with a body that Mara, who reads everything, would be sent. */
  async function storedDelivery(more: Partial<WholeDelivery> = {}): Promise<WholeDelivery> {
    const { id: webhook } = await createHook({ payload: 'event', format: 'json' })
    await report()
    await drainWorker(context)
    const [{ id }] = (await api.get(`/webhooks/${webhook}/deliveries`, { as: MARA })).json
    const found = await findDelivery(context.db, webhook, id)
    if (!found) throw new Error('It is gone.')
    return { ...found, ...more }
  }

  async function cutFor(person: TestPerson, delivery: WholeDelivery): Promise<ShownDelivery> {
    const viewer = await findUsableViewer(context, person.id)
    if (!viewer) throw new Error(`${person.login} cannot sign in.`)
    return cutDelivery(context, viewer, HOOK_OF_BUGS, delivery)
  }

  test('is shown whole to readers of all that it has', async () => {
    const delivery = await storedDelivery()
    const whole = { ...delivery, is_withheld: false, is_cut: false }
    expect(await cutFor(MARA, delivery)).toEqual(whole)
    expect(await cutFor(ADA, delivery)).toEqual(whole)
  })

  test('is shown without its body and response, if the event is gone or the body is of another kind', async () => {
    const delivery = await storedDelivery({ answer_body: 'Thank you' })
    for (const more of [{ number: null }, { request_body: '[]' }, { request_body: 'null' }, { request_body: '7' }]) {
      const changed = { ...delivery, ...more }
      expect(await cutFor(MARA, changed)).toEqual({
        ...changed,
        request_body: null,
        answer_body: null,
        is_withheld: true,
        is_cut: false,
      })
      expect(await cutFor(ADA, changed)).toEqual({ ...changed, is_withheld: false, is_cut: false })
    }
  })

  test('is shown as it is, if it was not sent yet or is a ping', async () => {
    const delivery = await storedDelivery()
    for (const more of [{ request_body: null }, { event: 'ping', number: null }]) {
      const changed = { ...delivery, ...more }
      expect(await cutFor(UMA, changed)).toEqual({ ...changed, is_withheld: false, is_cut: false })
    }
  })

  test('is cut to what is equal for its reader, and loses its response', async () => {
    const delivery = await storedDelivery({ answer_body: 'Thank you' })
    const sent = JSON.parse(delivery.request_body ?? '')
    const request_body = JSON.stringify({ ...sent, secret: 4711 })
    expect(await cutFor(MARA, { ...delivery, request_body })).toEqual({
      ...delivery,
      request_body: JSON.stringify(sent),
      answer_body: null,
      is_withheld: false,
      is_cut: true,
    })
  })
})
