import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { ADA, MARA } from '../../../test/fixtures/people.ts'
import { seedTestArtifacts } from '../../../test/fixtures/seed-artifacts.ts'
import { BUGS, LEADS, NURSERY, OPEN_BUG, ORCHARD, PAPER, RUIN } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'
import { runJobs } from '../../../test/harness/run-jobs.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { JOBS } from '../../jobs.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { enqueueJob } from '../../platform/jobs/jobs.ts'
import type { ProjectPurger } from './purge-projects.ts'

const { api, context, clock } = await startWorld()
const { db } = context
const DAY = 86_400_000

beforeEach(() => seedTestArtifacts(db))

async function purge(jobs = JOBS, used = context): Promise<void> {
  await inTransaction(db, (tx) => enqueueJob(tx, { type: 'project_purge', payload: {} }, null))
  await runJobs(used, jobs)
}

const remove = async () => expect((await api.delete(`/projects/${ORCHARD}`, { as: MARA })).status).toBe(200)
const isStored = async () => (await sql`select from project where id = ${ORCHARD}`.execute(db)).rows.length === 1

/** Tables that keep rows of a purged project: logs with a retention time, archives, and the reserved name. */
const KEEPING = ['artifact_archive', 'artifact_deletion', 'audit', 'event', 'mailed_link', 'project_tombstone']

/** The number of rows per table and project. */
async function countRows(project: RegExp): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where column_name = 'project_id' and table_schema = 'public' order by 1`.execute(db)
  const counts: string[] = []
  for (const { name } of tables) {
    if (KEEPING.includes(name)) continue
    const { rows } = await sql<{ project_id: number; number: number }>`
      select project_id, count(*) as number from ${sql.table(name)} group by 1 order by 1`.execute(db)
    for (const { project_id, number } of rows)
      if (project.test(String(project_id))) counts.push(`${name} ${project_id} ${number}`)
  }
  return counts
}

test('a project is purged after its time in the trash, completely, and nothing else is', async () => {
  const own = new RegExp(`^${ORCHARD}$`)
  const others = new RegExp(`^(?!${ORCHARD}$)`)
  expect((await countRows(own)).length).toBeGreaterThan(15)
  const before = await countRows(others)
  await remove()
  clock.advance(30 * DAY - 1)
  await purge()
  expect(await isStored()).toBe(true)
  expect((await api.post(`/projects/${ORCHARD}/restoration`, { as: MARA })).status).toBe(200)
  await remove()
  clock.advance(30 * DAY)
  await purge()

  expect(await isStored()).toBe(false)
  expect(await countRows(own)).toEqual([])
  expect(await countRows(others)).toEqual(before)
  const { rows: files } = await sql<{ id: number }>`
    select id from file where id in (${PAPER.open}, ${PAPER.secret}, ${PAPER.safe})`.execute(db)
  expect(files).toEqual([{ id: PAPER.safe }])
  const { rows: watches } = await sql`
    select from watch where (kind, object_id) in (('artifact', ${OPEN_BUG}::bigint), ('tracker', ${BUGS}::bigint), ('project', ${ORCHARD}::bigint))`.execute(
    db,
  )
  expect(watches).toEqual([])
  expect(await audited(context, 'project.purge')).toMatchObject([
    { actor_id: null, credential_kind: 'job', object: `projects/${ORCHARD}`, before: { shortname: 'orchard' } },
  ])
  expect(await api.post(`/projects/${ORCHARD}/restoration`, { as: ADA })).toMatchObject(refused(404, 'not_found'))
  const { json } = await api.get(`/audit?project=${ORCHARD}&action=project.*`, { as: ADA })
  expect(json.map(({ action }: { action: string }) => action)).toEqual([
    'project.purge',
    'project.delete',
    'project.restore',
    'project.delete',
  ])
})

test('the short name of a purged project is never given again', async () => {
  await remove()
  clock.advance(30 * DAY)
  await purge()
  for (const shortname of ['orchard', 'ORCHARD']) {
    const body = { shortname, label: 'Orchard', is_public: true, template_id: 100 }
    expect(await api.post('/projects', { as: MARA, body })).toMatchObject(refused(400, 'name_taken'))
  }
})

test('the retention time is a setting, and a project that an earlier version deleted stays', async () => {
  await api.patch('/settings', { as: ADA, body: { trash_retention_days: 2 } })
  await remove()
  clock.advance(2 * DAY)
  await purge()
  expect(await isStored()).toBe(false)
  expect((await sql`select from project where id = ${RUIN}`.execute(db)).rows).toHaveLength(1)
})

test('a purge that has begun continues, even with a longer retention time', async () => {
  await remove()
  await sql`update project set purge_begun_on = now() where id = ${ORCHARD}`.execute(db)
  await purge()
  expect(await isStored()).toBe(false)
})

test('the purge waits for archives, which outlive the project', async () => {
  await api.patch('/settings', { as: ADA, body: { archive_deleted_artifacts: true } })
  expect((await api.delete(`/artifacts/${OPEN_BUG}`, { as: MARA })).status).toBe(200)
  await remove()
  clock.advance(30 * DAY)
  await purge(JOBS.filter(({ type }) => type !== 'artifact_archive'))
  expect(await isStored()).toBe(true)
  await sql`update job set run_after = null where state = 'retrying'`.execute(db)
  await runJobs(context)
  await purge()
  expect(await isStored()).toBe(false)
  const { json } = await api.get('/archives', { as: ADA })
  expect(json).toMatchObject([{ artifact: { id: OPEN_BUG }, project: { id: ORCHARD, label: '' }, state: 'written' }])
})

test('groups of other projects that took their members from the project are empty afterwards', async () => {
  const { rows: made } = await sql<{ id: number }>`
    insert into user_group (project_id, short_name, bound_to, created_on)
    values (${NURSERY}, 'borrowed', ${LEADS}, now()) returning id`.execute(db)
  const epoch = async () =>
    (await sql<{ rights_epoch: number }>`select rights_epoch from project where id = ${NURSERY}`.execute(db)).rows[0]
      ?.rights_epoch ?? 0
  const before = await epoch()
  await remove()
  clock.advance(30 * DAY)
  await purge()
  const { rows } = await sql`select bound_to from user_group where id = ${made[0]?.id}`.execute(db)
  expect(rows).toEqual([{ bound_to: null }])
  expect(await epoch()).toBe(before + 1)
})

test('a failing project is reported, and does not delay the others', async () => {
  await remove()
  await api.delete(`/projects/${NURSERY}`, { as: MARA })
  clock.advance(30 * DAY)
  const obstacle: ProjectPurger = async (_context, { id }) => {
    if (id === ORCHARD) throw new Error('The disk is not readable.')
    return 'done'
  }
  await purge(JOBS, { ...context, projectPurgers: [obstacle, ...context.projectPurgers] })
  expect(await isStored()).toBe(true)
  expect((await sql`select from project where id = ${NURSERY}`.execute(db)).rows).toEqual([])
  const { rows } = await sql`select state, last_error from job where type = 'project_purge'`.execute(db)
  expect(rows).toEqual([{ state: 'retrying', last_error: expect.stringContaining('The disk is not readable.') }])
  await purge()
  expect(await isStored()).toBe(false)
})
