import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { insertTestWebhook } from '../../../test/fixtures/insert-webhook.ts'
import { MARA } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { settleFeed } from '../../../test/harness/settle-feed.ts'
import { readFeedState } from '../../platform/database/events.ts'
import { formatFeedCursor } from '../feed-cursor.ts'
import type { WebhookId } from './webhook.ts'

const { api, context } = await startWorld()
const { db } = context

/** A hook of the project that has read all events, and the cursors before so many of them and after two. */
async function makeHook(count: number): Promise<{ id: WebhookId; after: string; until: string }> {
  const id = await insertTestWebhook(db)
  await settleFeed(context)
  const { epoch, horizon } = await readFeedState(db)
  await sql`insert into event (type, object, project_id, payload)
    select 'project.changed', 'projects/' || ${ORCHARD}::bigint, ${ORCHARD}, '{}'
    from generate_series(1, ${count}::integer)`.execute(db)
  await settleFeed(context)
  await sql`update webhook set tracker_id = null, as_user = ${MARA.id}, events = '{project.changed}',
    place_position = feed_horizon() where id = ${id}`.execute(db)
  const cursorOf = (position: number) => formatFeedCursor({ epoch, position })
  return { id, after: cursorOf(horizon.position), until: cursorOf(horizon.position + 2) }
}

const replay = (id: WebhookId, body: object) => api.post(`/webhooks/${id}/replay`, { as: MARA, body })
const countDeliveries = async () => (await db.selectFrom('webhook_delivery').select('id').execute()).length

describe('a replay', () => {
  test('does not begin or end in another feed', async () => {
    const { id, after } = await makeHook(1)
    for (const body of [{ after: 'ffff.1' }, { after, until: 'ffff.1' }])
      expect(await replay(id, body)).toMatchObject({ status: 410, json: { error: { reason: 'cursor_expired' } } })
    expect(await countDeliveries()).toBe(0)
  })

  test('ends with the last event, or where the hook is, which plans later events itself', async () => {
    const { id, after, until } = await makeHook(4)
    expect(await replay(id, { after, until })).toMatchObject({ status: 202, json: { events: 2 } })
    expect(await replay(id, { after: until })).toMatchObject({ status: 202, json: { events: 2 } })
    expect(await replay(id, { after })).toMatchObject({ status: 202, json: { events: 4 } })
    await sql`update webhook set place_position = place_position - 3 where id = ${id}`.execute(db)
    expect(await replay(id, { after, until })).toMatchObject({ status: 202, json: { events: 1 } })
    expect(await replay(id, { after })).toMatchObject({ status: 202, json: { events: 1 } })
  })

  test('of 10,000 events is the longest', async () => {
    const { id, after } = await makeHook(10_001)
    const { status, json } = await replay(id, { after })
    expect([status, json.error]).toMatchObject([
      400,
      { reason: 'rule_violated', details: { cause: 'too_many', allowed: { maximum: 10_000 } } },
    ])
    expect(await countDeliveries()).toBe(0)
    await sql`delete from event where id = (select max(id) from event)`.execute(db)
    expect(await replay(id, { after })).toMatchObject({ status: 202, json: { events: 10_000 } })
    expect(await countDeliveries()).toBe(10_000)
  })
})
