import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA } from '../../../test/fixtures/people.ts'
import { LOST_BUGS } from '../../../test/fixtures/seed-ids.ts'
import { runJobs } from '../../../test/harness/run-jobs.ts'
import { changedTables, tableDigests } from '../../../test/harness/table-digests.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { enqueueJob } from '../../platform/jobs/jobs.ts'
import { JOBS } from '../../jobs.ts'

const { api, context, clock } = await startWorld()
const { db } = context
let tracker: MadeTracker

const DAY = 86_400_000
const make = (summary: string, more = {}) =>
  makeTestArtifact(api, tracker, { summary, points: 3, tags: { value: ['cold', 'new'] }, ...more })
const remove = async (artifact: number) =>
  expect((await api.delete(`/artifacts/${artifact}`, { as: MARA })).status).toBe(200)

beforeEach(async () => {
  tracker = await makeTestTracker(api, EVERY_FIELD)
  await api.post(`/trackers/${LOST_BUGS}/restore`, { as: MARA })
})

async function purge(jobs = JOBS): Promise<void> {
  await inTransaction(db, (tx) => enqueueJob(tx, { type: 'artifact_purge', payload: {} }, null))
  await runJobs(context, jobs)
}

async function ids(): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from artifact where tracker_id = ${tracker.id} order by id`.execute(db)
  return rows.map(({ id }) => id)
}

test('artifacts are purged after their retention period in the trash, and nothing else is', async () => {
  const [old, young, kept] = [await make('Old'), await make('Young'), await make('Kept')]
  await remove(old)
  clock.advance(1)
  await remove(young)
  clock.advance(30 * DAY - 2)
  await purge()
  expect(await ids()).toEqual([old, young, kept])
  clock.advance(1)
  await purge()
  expect(await ids()).toEqual([young, kept])
  expect(await audited(context, 'artifact.purge')).toMatchObject([
    { actor_id: null, credential_kind: 'job', object: `artifacts/${old}`, before: { tracker_id: tracker.id } },
  ])
  const { rows } = await sql`select type, object from event where type = 'artifact.purged'`.execute(db)
  expect(rows).toEqual([{ type: 'artifact.purged', object: `artifacts/${old}` }])
})

test('only its own rows change, not those of artifacts that link to it or mention it', async () => {
  const gone = await make('Gone', { details: 'see art #1' })
  const neighbour = await make('Neighbour', { details: `see art #${gone}`, links: { links: [{ id: gone, type: '' }] } })
  await api.put(`/artifacts/${gone}`, {
    as: MARA,
    body: { values_by_field: { links: { links: [{ id: neighbour, type: '_is_child' }] } }, comment: { body: 'Hm' } },
  })
  const shown = async () => (await api.get(`/artifacts/${neighbour}?values_format=all`, { as: MARA })).json
  const own = {
    artifact: `^\\(${gone},`,
    changeset: `^\\(\\d+,\\d+,${gone},`,
    value_index: `,${gone}\\)$`,
    number_index: `,${gone}\\)$`,
    artifact_reference: `^\\(\\d+,${gone},`,
    artifact_words: `^\\(${gone},`,
    artifact_summary: `^\\(${gone},`,
    artifact_link: `(^\\(\\d+,${gone},|^\\(\\d+,\\d+,${gone},)`,
    artifact_deletion: `^\\(\\d+,\\d+,${gone},`,
    audit: `artifacts/${gone}\\b`,
    event: `artifacts/${gone}\\b`,
  }
  const [everything, others] = [await tableDigests(db), await tableDigests(db, own)]
  await remove(gone)
  expect(changedTables(everything, await tableDigests(db))).toEqual([
    'artifact',
    'artifact_deletion',
    'artifact_summary',
    'audit',
    'event',
    'tracker_total',
  ])
  expect(changedTables(others, await tableDigests(db, own))).toEqual(['tracker_total'])

  const [deleted, before] = [await tableDigests(db, own), await shown()]
  clock.advance(31 * DAY)
  await purge()
  expect(changedTables(deleted, await tableDigests(db, own))).toEqual(['job'])
  expect(await shown()).toEqual(before)
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from artifact_link where source_id = ${gone} or target_id = ${gone})
      + (select count(*) from changeset where artifact_id = ${gone})
      + (select count(*) from value_index where artifact_id = ${gone})
      + (select count(*) from number_index where artifact_id = ${gone})
      + (select count(*) from artifact_words where artifact_id = ${gone})
      + (select count(*) from artifact_reference where artifact_id = ${gone}) as count`.execute(db)
  expect(rows).toEqual([{ count: 0 }])
  // The neighbour can still be edited, although its link target is gone.
  const edited = await api.put(`/artifacts/${neighbour}`, { as: MARA, body: { values_by_field: { points: 9 } } })
  expect(edited.status).toBe(200)
})

test('the purge waits for an archive that is queued and not written', async () => {
  await api.patch('/settings', { as: ADA, body: { archive_deleted_artifacts: true } })
  const id = await make('Archived')
  await remove(id)
  clock.advance(31 * DAY)
  const withoutArchives = JOBS.filter(({ type }) => type !== 'artifact_archive')
  await purge(withoutArchives)
  expect(await ids()).toEqual([id])
  await sql`update job set run_after = null where state = 'retrying'`.execute(db)
  await runJobs(context)
  await purge()
  expect(await ids()).toEqual([])
})

test('the purge continues in batches until all are gone', async () => {
  await sql`insert into artifact (project_id, tracker_id, number, field_values, submitted_on, last_modified_date, last_modified, deleted_on)
    select project_id, id, number, '{}', created_on, created_on, created_on, created_on
    from tracker, generate_series(1, 501) as number where id = ${tracker.id}`.execute(db)
  clock.advance(31 * DAY)
  await purge()
  expect(await ids()).toEqual([])
  expect(await audited(context, 'artifact.purge')).toHaveLength(501)
})

test('the purge removes a deleted tracker with all its artifacts, and keeps its children and mirrors intact', async () => {
  const child = await makeTestTracker(api, {
    format: 'waypost-tracker/1',
    label: 'Parts',
    item_name: 'part',
    hierarchy: { parent: 'delivery' },
    elements: [{ name: 'status', type: 'sb', label: 'Status', shared_from: 'delivery.status' }],
  })
  const other = await makeTestArtifact(api, child, { status: 'Open' })
  await make('Alive')
  await remove(await make('Deleted before'))
  await api.delete(`/trackers/${tracker.id}`, { as: MARA })
  clock.advance(30 * DAY - 1)
  await purge()
  expect(await ids()).toHaveLength(2)
  clock.advance(1)
  await purge()

  expect(await ids()).toEqual([])
  const { rows } = await sql`select from tracker where id = ${tracker.id}`.execute(db)
  expect(rows).toEqual([])
  expect(await audited(context, 'tracker.purge')).toMatchObject([{ object: `trackers/${tracker.id}` }])
  expect((await api.get(`/trackers/${child.id}`, { as: MARA })).json).toMatchObject({ parent: null })
  expect((await api.get(`/trackers/${child.id}/definition`, { as: MARA })).json).toMatchObject({
    hierarchy: { parent: null },
    elements: [{ name: 'status', shared_from: null }],
  })
  expect((await api.get(`/artifacts/${other}`, { as: MARA })).json.values).toContainEqual(
    expect.objectContaining({ values: [expect.objectContaining({ label: 'Open' })] }),
  )
  expect(await api.post(`/trackers/${tracker.id}/restore`, { as: MARA })).toMatchObject({ status: 404 })
})
