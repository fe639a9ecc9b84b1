import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { insertTestWebhook } from '../../../test/fixtures/insert-webhook.ts'
import { ADA, SAM } from '../../../test/fixtures/people.ts'
import { ORCHARD, QUARRY } from '../../../test/fixtures/seed-ids.ts'
import { settleFeed } from '../../../test/harness/settle-feed.ts'
import { feedEnd } from '../../platform/database/feed-end.ts'
import { planDeliveries } from './plan-deliveries.ts'
import type { WebhookId } from './webhook.ts'

const { context } = await startWorld()
const { db } = context

async function insertEvents(count: number, type: string, project: number): Promise<void> {
  await sql`insert into event (type, object, project_id, payload)
    select ${type}, 'artifacts/' || number, ${project}, '{}' from generate_series(1, ${count}::integer) number`.execute(
    db,
  )
  await settleFeed(context)
}

async function makeHook(given: Parameters<typeof insertTestWebhook>[1] = {}): Promise<WebhookId> {
  await sql`delete from event`.execute(db)
  const id = await insertTestWebhook(db, given)
  await settleFeed(context)
  await sql`update webhook set place_position = feed_horizon()`.execute(db)
  return id
}

const hasMoved = async (id: WebhookId) => {
  const { rows } = await sql<{ has_moved: boolean }>`
    select place_position = feed_horizon() as has_moved from webhook where id = ${id}`.execute(db)
  return rows[0]?.has_moved
}

/** The old form of the cursor, which servers of the previous version read. */
const isSettled = async (id: WebhookId) => {
  const { rows } = await sql<{ is_settled: boolean }>`
    select (place_xid, place_id) = (select xid, 0 from ${feedEnd}) as is_settled
    from webhook where id = ${id}`.execute(db)
  return rows[0]?.is_settled
}

describe('a hook with matching events', () => {
  test('moves both forms of its cursor to the end of the feed', async () => {
    const id = await makeHook()
    expect(await isSettled(id)).toBe(false)
    await insertEvents(3, 'artifact.created', ORCHARD)
    expect(await planDeliveries.turn(context)).toBe(true)
    expect([await hasMoved(id), await isSettled(id)]).toEqual([true, true])
  })

  test('keeps the old form of its cursor until it has read all', async () => {
    const id = await makeHook()
    // More than one scan reads. They are new to the statistics of the planner, which has ended in a statement timeout.
    await insertEvents(1001, 'artifact.created', ORCHARD)
    expect(await planDeliveries.turn(context)).toBe(true)
    expect([await hasMoved(id), await isSettled(id)]).toEqual([false, false])
    while (await planDeliveries.turn(context));
    expect([await hasMoved(id), await isSettled(id)]).toEqual([true, true])
  })

  test('skips them while its viewer cannot sign in, and no other hook does', async () => {
    const id = await makeHook()
    await db.updateTable('webhook').set({ owner_id: ADA.id, as_user: SAM.id }).where('id', '=', id).execute()
    const other = await insertTestWebhook(db, { active: false })
    await insertEvents(3, 'artifact.created', ORCHARD)
    expect(await planDeliveries.turn(context)).toBe(true)
    expect([await hasMoved(id), await isSettled(id)]).toEqual([true, true])
    expect([await hasMoved(other), await isSettled(other)]).toEqual([false, false])
    expect(await db.selectFrom('webhook_delivery').selectAll().execute()).toEqual([])
  })
})

describe('a hook without matching events', () => {
  test.each([
    { count: 201, type: 'artifact.created', project: QUARRY, moves: true },
    { count: 201, type: 'artifact.updated', project: ORCHARD, moves: true },
    { count: 200, type: 'artifact.created', project: QUARRY, moves: false },
  ])('skips $count of $type in $project: $moves', async ({ count, type, project, moves }) => {
    const id = await makeHook()
    await insertEvents(count, type, project)
    expect(await planDeliveries.turn(context)).toBe(false)
    expect(await hasMoved(id)).toBe(moves)
  })

  test.each([
    { what: 'plans', old: sql`webhook.place_xid`, plans: true },
    {
      what: 'does not plan again, where a server of the previous version has planned them,',
      old: sql`pg_snapshot_xmax(pg_current_snapshot())`,
      plans: false,
    },
  ])('$what events after its position', async ({ old, plans }) => {
    const id = await makeHook()
    await insertEvents(1, 'artifact.created', ORCHARD)
    await sql`update webhook set place_xid = ${old} where id = ${id}`.execute(db)
    expect(await planDeliveries.turn(context)).toBe(plans)
  })

  test('does not move while it is switched off', async () => {
    const id = await makeHook({ active: false })
    await insertEvents(300, 'artifact.created', QUARRY)
    await planDeliveries.turn(context)
    expect(await hasMoved(id)).toBe(false)
  })
})
