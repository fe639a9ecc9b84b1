import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/database/db.ts'
import { FEED_START, readEventsAfter } from '../../src/platform/database/events.ts'
import { noticePoller } from '../../src/feed/notifications/planning/notice-poller.ts'
import { sequenceEvents } from '../../src/platform/database/sequence-events.ts'
import { insertTestWebhook } from '../fixtures/insert-webhook.ts'
import { seed } from '../fixtures/seed.ts'
import { assertSequenced } from '../harness/assert-sequenced.ts'
import { createTestDatabase } from '../harness/database.ts'
import { query } from '../harness/schema-shape.ts'
import { startWorld } from '../harness/start-world.ts'

const { context } = await startWorld()
const { ownerUrl } = await createTestDatabase()
const db = openDatabase({ connectionString: ownerUrl })
afterAll(() => db.destroy())

/** The schema before positions. */
const UNDO = `
  drop trigger skip_known on notification; drop trigger skip_known on notice_mail;
  drop function skip_known_notification(); drop function skip_known_mail();
  alter table webhook drop column place_position; alter table notice_reader drop column position;
  alter table notified_event drop column position;
  drop function feed_horizon(); drop function feed_position_before(xid8, bigint);
  drop table event_position; drop table feed_sequence;
  drop index event_of_transaction; alter table event drop column tx`

async function applyMigration(name: string): Promise<void> {
  const text = await readFile(new URL(`../../migrations/${name}`, import.meta.url), 'utf8')
  await query(ownerUrl, `begin; ${text}; commit`)
}

test('events from before the sequencer keep their order, and those written during the upgrade follow', async () => {
  await seed(db)
  await query(ownerUrl, UNDO)
  await sql`delete from event`.execute(db)
  // Ids and transactions in different orders.
  await sql`insert into event (type, xid) values ('third', '30'), ('first', '10'), ('fourth', '30'), ('second', '20')`.execute(
    db,
  )
  await sql`update notice_reader set xid = '20', id = 0`.execute(db)
  const open = await db.startTransaction().execute()
  await sql`select pg_current_xact_id()`.execute(open)

  await applyMigration('0040-platform-sequenced-feed.sql')
  await sql`insert into event (type) values ('fifth')`.execute(db)
  await sql`insert into event (type) values ('sixth')`.execute(open) // By a transaction that is older than the migration.
  await applyMigration('0041-feed-positions.sql')
  await sql`insert into event (type) values ('seventh')`.execute(db)
  await open.commit().execute()

  const { rows } = await sql`select position from notice_reader`.execute(db)
  expect(rows).toEqual([{ position: 1 }])
  const types = async () => (await readEventsAfter(db, FEED_START)).map(({ type }) => type)
  expect(await types()).toEqual(['first', 'second', 'third', 'fourth'])
  await sequenceEvents(db)
  expect(await types()).toEqual(['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh'])
  await assertSequenced(db)
})

test('a server of the previous version adds a hook at the end, and repeats no notice', async () => {
  const hook = await insertTestWebhook(db) // Without a position, as it writes it.
  const { rows } =
    await sql`select place_position = feed_horizon() as is_at_end from webhook where id = ${hook}`.execute(db)
  expect(rows).toEqual([{ is_at_end: true }])

  await sql`insert into notified_event (id, xid, epoch, "on", type, payload) values (1, '1', 'e', now(), 'x', '{}')`.execute(
    db,
  )
  for (const table of ['notification', 'notice_mail']) {
    const time = sql.ref(table === 'notification' ? 'on' : 'planned_on')
    const insert = sql`insert into ${sql.table(table)} (account_id, event_id, why, ${time}) values (1002, 1, 'watch', now())`
    await insert.execute(db)
    await insert.execute(db)
    const found = await sql`select from ${sql.table(table)} where event_id = 1`.execute(db)
    expect(found.rows).toHaveLength(1)
  }
})

test('the reader for notifications passes what a server of the previous version has read', async () => {
  while (await noticePoller.turn(context));
  await sql`insert into event (type) select 'read.before' from generate_series(1, 250)`.execute(context.db)
  await sql`update notice_reader set xid = pg_snapshot_xmax(pg_current_snapshot()), id = 0`.execute(context.db)
  while (await noticePoller.turn(context));
  const { rows } = await sql`select position = feed_horizon() as is_at_end from notice_reader`.execute(context.db)
  expect(rows).toEqual([{ is_at_end: true }])
})
