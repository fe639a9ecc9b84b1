import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createBugWebhooks } from '../../../test/fixtures/bug-webhooks.ts'
import { ADA, MARA, TOM } from '../../../test/fixtures/people.ts'
import { BUG, BUGS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { settleFeed } from '../../../test/harness/settle-feed.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { startRecorder } from '../../../test/suites/sql/record-statements.ts'
import { allowLoopback, startReceiver } from '../../../test/peers/webhook-receiver.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import { composeBodies } from './compose-body.ts'
import { planDeliveries } from './plan-deliveries.ts'

const recorder = startRecorder()
afterAll(() => recorder.stop())

const { api, context } = await startWorld()
const receiver = await startReceiver()
beforeEach(() => allowLoopback(api))
const { hook, report, update } = createBugWebhooks(api, receiver)

/** The planned deliveries of all hooks in order. */
async function plan(): Promise<ClaimedDelivery[]> {
  await settleFeed(context)
  while (await planDeliveries.turn(context));
  const { rows } = await sql<ClaimedDelivery>`
    select webhook.*, webhook_delivery.* from webhook_delivery join webhook on webhook.id = webhook_delivery.webhook_id
    order by webhook_delivery.id`.execute(context.db)
  return rows
}

/** Artifacts with versions, comments, links and a deletion. */
async function change(): Promise<void> {
  const [one, other] = [await report('One'), await report('Other', MARA)]
  await update(one, { values: [{ field_id: BUG.summary, value: `see bug #${other}` }] })
  await update(one, { values: [], comment: { body: 'Look', format: 'text' } })
  await update(other, { values: [{ field_id: BUG.summary, value: 'Other again' }] })
  await update(one, { values: [{ field_id: BUG.summary, value: 'Three' }] })
  await api.delete(`/artifacts/${other}`, { as: MARA })
}

test.each([
  { body: {}, of: `trackers/${BUGS}` },
  { body: {}, of: `projects/${ORCHARD}` },
  { body: { payload: 'event', as_user: TOM.id, events: ['artifact.*', 'comment.*'] }, of: `trackers/${BUGS}` },
])('each body of a batch for $of $body is what it is alone', async ({ body, of }) => {
  await hook(body, of, ADA)
  await change()
  const deliveries = await plan()
  expect(deliveries.length).toBeGreaterThan(5)
  const together = await composeBodies(context, deliveries)
  expect(together).not.toContain('owner_lost_rights')
  for (const [at, delivery] of deliveries.entries())
    expect([together[at]]).toEqual(await composeBodies(context, [delivery]))
})

test.each(['event', 'original'])('ten bodies of the format %s take as many statements as two', async (payload) => {
  await hook({ payload })
  for (let count = 0; count < 10; count++) await report(`Bug ${count}`)
  const deliveries = await plan()
  expect(deliveries).toHaveLength(10)
  const counts: number[] = []
  for (const batch of [deliveries, deliveries.slice(0, 2), deliveries]) {
    const statements = await recorder.record(() => composeBodies(context, batch))
    counts.push(statements.length)
  }
  expect(counts[1]).toBeGreaterThan(0)
  expect(counts[2]).toBe(counts[1])
})

test('all bodies of a batch use the permissions of one moment, after which they were withdrawn', async () => {
  await hook({ as_user: TOM.id, events: ['artifact.created'] }, `projects/${ORCHARD}`, ADA)
  for (let count = 0; count < 3; count++) await report(`Bug ${count}`)
  const deliveries = await plan()
  expect(await composeBodies(context, deliveries)).not.toContain('hidden')
  await context.db.updateTable('account').set({ status: 'S' }).where('id', '=', TOM.id).execute()
  expect(await composeBodies(context, deliveries)).toEqual(['hidden', 'hidden', 'hidden'])
})
