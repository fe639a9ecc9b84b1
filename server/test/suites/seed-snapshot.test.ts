import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { beginFeedEpoch } from '../../src/platform/database/feed-epoch.ts'
import { borrowSeededDatabase } from '../harness/database.ts'
import { restoreSeedSnapshot } from '../fixtures/seed-snapshot.ts'

const { owner } = await borrowSeededDatabase()

test('reseeding removes all traces of the previous test, also in tables that keep rows', async () => {
  await restoreSeedSnapshot(owner)
  const before = await kept()
  await sql`insert into link_type (shortname, forward_label, reverse_label, is_system, is_reserved)
    values ('_left', 'Left', 'Right', true, true)`.execute(owner)
  await sql`update setting set chosen = '{"anonymous_access": false}'`.execute(owner)
  await sql`update feed_epoch set removed_xid = '5', removed_id = 7`.execute(owner)
  await beginFeedEpoch(owner)

  await restoreSeedSnapshot(owner)

  expect(await kept()).toEqual(before)
})

async function kept(): Promise<unknown> {
  const { rows } = await sql`
    select (select json_agg(link_type order by shortname) from link_type) as types,
      (select json_agg(chosen) from setting) as chosen, removed_xid, removed_id,
      notice_reader.epoch = feed_epoch.epoch as reads_this_feed from feed_epoch, notice_reader`.execute(owner)
  return rows
}
