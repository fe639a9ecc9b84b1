import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { insertTestWebhook } from '../../../test/fixtures/insert-webhook.ts'
import { ORCHARD, QUARRY } from '../../../test/fixtures/seed-ids.ts'
import { settleFeed } from '../../../test/harness/settle-feed.ts'
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
  await sql`update webhook set place_xid = '1', place_id = 7`.execute(db)
  return id
}

const hasMoved = async (id: WebhookId) => {
  const { place_id } = await db.selectFrom('webhook').select('place_id').where('id', '=', id).executeTakeFirstOrThrow()
  return place_id !== 7
}

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

  test('does not move while it is switched off', async () => {
    const id = await makeHook({ active: false })
    await insertEvents(300, 'artifact.created', QUARRY)
    await planDeliveries.turn(context)
    expect(await hasMoved(id)).toBe(false)
  })
})
