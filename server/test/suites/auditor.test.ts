import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { uploadInChunks } from '../fixtures/attachments.ts'
import { auditArtifacts } from '../harness/auditor.ts'
import { EVERY_FIELD, makeTestArtifact, makeTestTracker } from '../fixtures/every-field.ts'
import { startWorld } from '../harness/start-world.ts'
import { MARA } from '../fixtures/people.ts'
import { seedTestArtifacts } from '../fixtures/seed-artifacts.ts'

// Tests the auditor itself: each possible fault is planted, and must be found.
const { api, context } = await startWorld({ seedOnce: true })
const { db } = context
let id: number
beforeAll(async () => {
  await seedTestArtifacts(db)
  const tracker = await makeTestTracker(api, EVERY_FIELD)
  const target = await makeTestArtifact(api, tracker, { summary: 'Target' })
  id = await makeTestArtifact(api, tracker, {
    summary: 'Pump',
    details: `art #${target}`,
    points: 5,
    effort: 1e-7,
    status: 'Open',
    assigned_to: ['tom'],
    links: { links: [{ id: target, type: '' }] },
    seen_by: { value: { granted_groups: ['project_members'], is_used_by_default: true } },
    files: [await uploadInChunks(api, MARA)],
  })
  await api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: { points: 6 } } })
})

test('the data of the API and the seed has no faults', async () => {
  expect(await auditArtifacts(context, db)).toEqual([])
})

test.each([
  {
    what: 'a value that no version wrote',
    wrong: () => sql`update artifact set field_values = field_values || '{"1": 2}' where id = ${id}`,
  },
  {
    what: 'a missing version',
    wrong: () => sql`update changeset set version = 7 where artifact_id = ${id} and version = 2`,
  },
  { what: 'a version without its row', wrong: () => sql`update artifact set version = 1 where id = ${id}` },
  {
    what: 'versions of one second',
    wrong: () => sql`update changeset set last_modified = '2026-03-01T09:30:00Z' where artifact_id = ${id}`,
  },
  { what: 'a lost entry of the index', wrong: () => sql`delete from value_index where artifact_id = ${id}` },
  { what: 'a lost number', wrong: () => sql`delete from number_index where artifact_id = ${id}` },
  {
    what: 'words that nobody wrote',
    wrong: () => sql`update artifact_words set words = 'x' where artifact_id = ${id}`,
  },
  { what: 'an old summary', wrong: () => sql`update artifact_summary set title = 'x' where id = ${id}` },
  { what: 'a lost summary', wrong: () => sql`delete from artifact_summary where id = ${id}` },
  { what: 'a lost link', wrong: () => sql`delete from artifact_link where source_id = ${id}` },
  { what: 'a lost reference', wrong: () => sql`delete from artifact_reference where artifact_id = ${id}` },
  { what: 'people who are not named', wrong: () => sql`update artifact set people = '{}' where id = ${id}` },
  { what: 'a lost restriction', wrong: () => sql`update artifact set restricted_to = null where id = ${id}` },
  {
    what: 'a lost event',
    wrong: () => sql`delete from event where object = ${`artifacts/${id}`} and payload->>'version' = '2'`,
  },
  {
    what: 'a version that is told before an older one',
    wrong: () => sql`insert into event_position (position, event_id) select -1, event.id from event
      where object = ${`artifacts/${id}`} and payload->>'version' = '2'
      on conflict (event_id) do update set position = excluded.position`,
  },
  {
    what: 'a deletion that nobody was told',
    wrong: () =>
      sql`insert into artifact_deletion (project_id, artifact_id, account_id, deleted_on) values (2001, ${id}, 1002, now())`,
  },
  { what: 'a file that is not its own', wrong: () => sql`update artifact_file set field_id = 1` },
  { what: 'a file that nobody has', wrong: () => sql`delete from artifact_file` },
  {
    what: 'a file that is still free',
    wrong: () => sql`update file set is_attached = false, expires_on = '2100-01-01'`,
  },
  { what: 'a wrong count', wrong: () => sql`update tracker_counter set artifacts = artifacts + 1` },
  { what: 'a number that was never given out', wrong: () => sql`update tracker_counter set last_number = 0` },
])('$what is found', async ({ wrong }) => {
  const tx = await db.startTransaction().execute()
  try {
    await wrong().execute(tx)
    expect(await auditArtifacts(context, tx)).not.toEqual([])
  } finally {
    await tx.rollback().execute()
  }
})
