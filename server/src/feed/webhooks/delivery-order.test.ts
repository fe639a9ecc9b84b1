import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createBugWebhooks } from '../../../test/fixtures/bug-webhooks.ts'
import { MARA, TOM } from '../../../test/fixtures/people.ts'
import { BUG } from '../../../test/fixtures/seed-ids.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { allowLoopback, payloadOf, startReceiver } from '../../../test/peers/webhook-receiver.ts'

const { api, context, clock } = await startWorld()
const receiver = await startReceiver()
beforeEach(() => allowLoopback(api))
const { hook, report, update } = createBugWebhooks(api, receiver)

test('the first attempts for one artifact are made in order, also if one fails', async () => {
  await hook({ url: receiver.url('/once/503') })
  const id = await report('One')
  await update(id, { values: [{ field_id: BUG.summary, value: 'Two' }] })
  await update(id, { values: [{ field_id: BUG.summary, value: 'Three' }] })
  await drainWorker(context)
  const places = (await receiver.received()).map(({ headers }) => headers['x-waypost-event-id'])
  const { json } = await api.get('/events?types=artifact.created,artifact.updated', { as: TOM })
  expect(places).toEqual(json.events.map((event: { id: string }) => event.id))
})

test('an ordered hook sends a delivery only after the one before has succeeded or failed for good', async () => {
  await hook({ ordered: true })
  await receiver.answerWith(500)
  const ids = [await report('One'), await report('Two')]
  await drainWorker(context)
  expect((await receiver.received()).map((each) => payloadOf(each).id)).toEqual([ids[0]])
  await receiver.answerWith(200)
  clock.advance(12_000)
  await drainWorker(context)
  expect((await receiver.received()).map((each) => payloadOf(each).id)).toEqual([ids[0], ids[0], ids[1]])
})

test('a hook has at most four concurrent deliveries', async () => {
  await hook({ url: receiver.url('/slow/150') })
  for (let number = 0; number < 10; number++) await report(`Bug ${number}`)
  await drainWorker(context)
  expect(await receiver.received()).toHaveLength(10)
  const most = await receiver.maxConcurrency()
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(4)
})

test('D08 the queue of a hook is bounded, and other events wait in the feed', async () => {
  const { id } = await hook()
  await report('It leaks')
  await sql`insert into event (type, object, project_id, payload)
    select 'artifact.updated', event.object, event.project_id, event.payload
    from event, generate_series(1, 1900) where event.type = 'artifact.created'`.execute(context.db)
  await sql`update webhook set failures = 9, held_until = ${new Date(clock.now().getTime() + 60_000)}`.execute(
    context.db,
  )
  await drainWorker(context)
  const { rows } = await sql<{ count: number }>`select count(*) from webhook_delivery`.execute(context.db)
  expect(rows[0]?.count).toBeLessThanOrEqual(1500)
  const { json } = await api.get(`/webhooks/${id}`, { as: MARA })
  const { json: rest } = await api.get(`/events?after=${json.place}&types=artifact.*&limit=1000`, { as: MARA })
  expect(rest.events.length).toBe(1901 - (rows[0]?.count ?? 0))
  expect(await receiver.received()).toEqual([])
})

test('a failing receiver gets only single attempts for a while, and others are served', async () => {
  const { id } = await hook({ url: receiver.url('/status/503') })
  await hook({ url: receiver.url('/works') })
  for (let number = 0; number < 20; number++) await report(`Bug ${number}`)
  await drainWorker(context)
  const requests = await receiver.received()
  const asked = requests.filter(({ path }) => path === '/status/503').length
  expect(asked).toBeGreaterThanOrEqual(5)
  expect(asked).toBeLessThan(12)
  expect(requests.filter(({ path }) => path === '/works')).toHaveLength(20)
  clock.advance(170_000)
  await drainWorker(context)
  const again = (await receiver.received()).filter(({ path }) => path === '/status/503').length - asked
  expect(again).toBe(1) // One probe.
  const { json } = await api.get(`/webhooks/${id}/deliveries?state=waiting&limit=100`, { as: MARA })
  expect(json.length).toBeGreaterThan(0)
})
