import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { beforeEach, expect, test } from 'vitest'
import { createBugWebhooks } from '../../../test/fixtures/bug-webhooks.ts'
import { MARA } from '../../../test/fixtures/people.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { allowLoopback, payloadOf, startReceiver } from '../../../test/peers/webhook-receiver.ts'
import { EventPayload, OriginalPayload, PingPayload, SENT_EVENTS } from './sent-events.ts'

const { api, context } = await startWorld()
const receiver = await startReceiver()
const { hook, report } = createBugWebhooks(api, receiver)
beforeEach(() => allowLoopback(api))

function mismatches(schema: TSchema, value: unknown): unknown[] {
  return [...Compile(schema).Errors(value)].map(({ instancePath, message }) => `${instancePath} ${message}`)
}

async function deliveredBodies() {
  await drainWorker(context)
  return (await receiver.received()).map(payloadOf)
}

test.each([
  { payload: 'original', schema: OriginalPayload },
  { payload: 'event', schema: EventPayload },
])('deliveries with the payload $payload match the described schema', async ({ payload, schema }) => {
  await hook({ payload, format: 'json', events: ['artifact.*'] })
  const id = await report('It leaks')
  const comment = { body: 'Seen again', format: 'text' }
  const body = { values_by_field: { summary: { value: 'It leaks a lot' } }, comment }
  expect((await api.put(`/artifacts/${id}`, { as: MARA, body })).status).toBe(200)
  const bodies = await deliveredBodies()

  expect(bodies).toHaveLength(2)
  expect(bodies.flatMap((each) => mismatches(schema, each))).toEqual([])
})

test('a deletion and a ping match their schemas', async () => {
  const { id: hookId } = await hook({ payload: 'event', format: 'json', events: ['artifact.deleted'] })
  const id = await report('It leaks')
  expect((await api.delete(`/artifacts/${id}`, { as: MARA })).status).toBe(200)
  await api.post(`/webhooks/${hookId}/test`, { as: MARA })
  const bodies = await deliveredBodies()

  expect(new Set(bodies.map(({ type }) => type))).toEqual(new Set(['artifact.deleted', 'ping']))
  for (const body of bodies)
    expect(mismatches(body.type === 'ping' ? PingPayload : EventPayload, body), body.type).toEqual([])
})

test('every example matches its schema', () => {
  expect(SENT_EVENTS.flatMap(({ body, example }) => mismatches(body, example))).toEqual([])
})
