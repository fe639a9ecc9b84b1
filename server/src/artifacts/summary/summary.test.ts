import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { definitionsOf } from '../../../test/fixtures/definitions.ts'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { MARA } from '../../../test/fixtures/people.ts'
import { BUGS } from '../../../test/fixtures/seed-ids.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { type BackFill, completeBackFills, runBackFill } from '../../platform/database/back-fill.ts'
import { inTransaction, openDatabase } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import { renewAccessVersions } from '../../trackers/renew-access-versions.ts'
import type { ArtifactId } from '../artifact.ts'
import { SUMMARY_BACK_FILLS } from './fill-summaries.ts'

const { api, context } = await startWorld()
const { db } = context
/** Without timeouts, for transactions that wait for each other. */
const patient = openDatabase({
  connectionString: context.config.WAYPOST_DATABASE_URL,
  lock_timeout: 0,
  statement_timeout: 0,
  idle_in_transaction_session_timeout: 0,
})
afterAll(() => patient.destroy())
let tracker: MadeTracker
let id: number

beforeEach(async () => {
  tracker = await makeTestTracker(api, EVERY_FIELD)
  id = await makeTestArtifact(api, tracker, { summary: 'Ripe Apples' })
})

const summaryOf = (artifact = id) =>
  db.selectFrom('artifact_summary').selectAll().where('id', '=', toId<ArtifactId>(artifact)).executeTakeFirst()

async function differences(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from artifact_to_summarize wanted
    full join artifact_summary kept on kept.id = wanted.id where kept.* is distinct from wanted.*`.execute(db)
  return rows[0]?.count ?? 0
}

const update = (values_by_field: object) => api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field } })

describe('a summary follows its artifact', () => {
  test('when it is created, changed, deleted and restored', async () => {
    expect(await summaryOf()).toMatchObject({
      title: 'Ripe Apples',
      folded_title: 'ripe apples',
      tracker_id: tracker.id,
    })
    await update({ summary: 'ΣΟΦΟΣ' })
    expect(await summaryOf()).toMatchObject({ title: 'ΣΟΦΟΣ', folded_title: 'σοφοσ' })
    await api.delete(`/artifacts/${id}`, { as: MARA })
    expect(await summaryOf()).toMatchObject({ deleted_on: expect.any(Date) })
    await api.post(`/artifacts/${id}/restore`, { as: MARA })
    expect(await differences()).toBe(0)
  })

  test('when it moves to a tracker with another title', async () => {
    await api.patch(`/artifacts/${id}`, { as: MARA, body: { move: { tracker_id: BUGS } } })
    expect(await differences()).toBe(0)
  })

  test('when the row is inserted and deleted by other statements', async () => {
    const { rows } = await sql<{ id: number }>`
      insert into artifact (project_id, tracker_id, number, field_values, submitted_on, last_modified_date, last_modified)
      select project_id, tracker_id, 4711, field_values, submitted_on, last_modified_date, last_modified
      from artifact where id = ${id} returning id`.execute(db)
    const [{ id: other } = { id: 0 }] = rows
    expect(await summaryOf(other)).toMatchObject({ title: 'Ripe Apples' })
    await sql`delete from artifact where id = ${other}`.execute(db)
    expect(await summaryOf(other)).toBeUndefined()
  })

  test('with a long title, which searches find by its end', async () => {
    await update({ summary: `${'x'.repeat(300)} tail` })
    expect(await summaryOf()).toMatchObject({ title: 'x'.repeat(255), folded_title: null })
    const query = new URLSearchParams({ expert_query: 'summary = "TAIL"' }).toString()
    const { json } = await api.get(`/trackers/${tracker.id}/artifacts?${query}`, { as: MARA })
    expect(json).toMatchObject([{ id }])
  })
})

/** As after the migration of an installation with artifacts. */
async function emptySummaries(): Promise<void> {
  await sql`delete from artifact_summary`.execute(db)
  await sql`insert into back_fill (name) values ('artifact_summary')`.execute(db)
  await inTransaction(db, (tx) => renewAccessVersions(tx)) // This process has known them as filled.
}

const row = () =>
  db.selectFrom('back_fill').selectAll().where('name', '=', 'artifact_summary').executeTakeFirstOrThrow()
const step = () => runBackFill(db, SUMMARY_BACK_FILLS)
/** It waits for the transactions of all databases of the cluster, also for those of other tests. */
const startFilling = async () => {
  while ((await row()).phase !== 'filling') await step()
}
const complete = () => completeBackFills(db, SUMMARY_BACK_FILLS, async () => {})

describe('the back-fill', () => {
  test('fills and verifies what was there before, and is read only then', async () => {
    const before = await context.trackers.now(db, BUGS)
    await emptySummaries()
    expect((await context.trackers.now(db, BUGS))?.summaries).toMatchObject({ are_complete: false })
    const { json } = await api.get(`/trackers/${tracker.id}/artifacts`, { as: MARA })
    expect(json).toMatchObject([{ id }])
    await complete()
    expect(await differences()).toBe(0)
    expect(await row()).toMatchObject({ phase: 'verified', differences: 0, verified_on: expect.any(Date) })
    const after = await context.trackers.now(db, BUGS)
    expect(after?.summaries).toMatchObject({ are_complete: true })
    expect(after?.stamp).not.toBe(before?.stamp)
  })

  test('waits for transactions that began before it', async () => {
    const { rows } = await sql<{ url: string }>`select current_database() as url`.execute(db)
    const writer = new Client({ host: inject('cluster'), database: rows[0]?.url, user: 'postgres' })
    onTestFinished(() => writer.end())
    await writer.connect()
    await writer.query(`begin; select pg_current_xact_id()`)
    await emptySummaries()
    await step()
    expect(await step()).toBe(false)
    expect(await row()).toMatchObject({ phase: 'waiting' })
    await writer.query('commit')
    await complete()
    expect(await row()).toMatchObject({ phase: 'verified' })
  })

  test('continues at its place after a kill in the middle of a batch', async () => {
    await emptySummaries()
    await startFilling()
    const killed = SUMMARY_BACK_FILLS.map(
      (each): BackFill => ({
        ...each,
        async fill(tx, batch) {
          const done = await each.fill(tx, batch)
          expect(done.rows).toBeGreaterThan(0)
          await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
          return done
        },
      }),
    )
    await expect(runBackFill(db, killed)).rejects.toThrow(/terminat|connection/i)
    expect(await row()).toMatchObject({ phase: 'filling', place: 0 })
    expect(await summaryOf()).toBeUndefined()
    await complete()
    expect(await differences()).toBe(0)
  })

  test('keeps what servers of the version before write beside it, and waits for them', async () => {
    await emptySummaries()
    await startFilling()
    // Such a server knows only the table of artifacts.
    const writer = await patient.startTransaction().execute()
    const values = JSON.stringify({ [tracker.field('summary')]: 'Written beside it' })
    await sql`update artifact set field_values = field_values || ${values}::jsonb where id = ${id}`.execute(writer)
    const filled = runBackFill(patient, SUMMARY_BACK_FILLS)
    await expect.poll(waiting).toBe(1)
    await writer.commit().execute()
    await filled
    expect(await summaryOf()).toMatchObject({ title: 'Written beside it' })
    await complete()
    expect(await row()).toMatchObject({ phase: 'verified', differences: 0 })
    expect(await differences()).toBe(0)
  })

  test('finds a difference, and fills again', async () => {
    await emptySummaries()
    while ((await row()).phase !== 'verifying') await step()
    await sql`update artifact_summary set title = 'planted' where id = ${id}`.execute(db)
    await sql`insert into artifact_summary select 7777777, project_id, tracker_id, submitted_by, submitted_on, last_update_by,
      last_modified_date from artifact_summary where id = ${id}`.execute(db)
    await step()
    expect(await row()).toMatchObject({ phase: 'filling', differences: 1 })
    await db.deleteFrom('artifact_summary').where('id', '=', toId<ArtifactId>(7777777)).execute()
    await complete()
    expect(await differences()).toBe(0)
  })
})

async function waiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.count ?? 0
}

test('another title field is read only when it is filled', async () => {
  const { changed, put } = definitionsOf(api)
  const second = await makeTestArtifact(api, tracker, { summary: 'Bananas', details: 'A text' })
  const list = async () => {
    const query = new URLSearchParams({ expert_query: '@id > 0 ORDER BY details' }).toString()
    const { json } = await api.get(`/trackers/${tracker.id}/artifacts?${query}`, { as: MARA })
    return json.map((each: { id: number }) => each.id)
  }
  const document = await changed((whole) => {
    whole.semantics = { ...whole.semantics, title: 'details' }
  }, tracker.id)
  const { status, text } = await put(document, '', { id: tracker.id })
  expect(status, text).toBe(200)
  expect(await summaryOf(second)).toMatchObject({ title: 'Bananas' })
  expect(await list()).toEqual([second, id])
  await complete()
  expect(await summaryOf(second)).toMatchObject({ title: 'A text' })
  expect(await list()).toEqual([second, id])
  expect(await differences()).toBe(0)
})
