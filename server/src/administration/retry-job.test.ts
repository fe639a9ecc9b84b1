import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, OLGA } from '../../test/fixtures/people.ts'
import { leaveJob } from '../../test/fixtures/sample-jobs.ts'

const { api, context } = await startWorld()
const { db } = context
const queue = async () =>
  (await sql<{ key: string }>`select key from graphile_worker.jobs order by id`.execute(db)).rows.map(({ key }) => key)
const auditRows = () => db.selectFrom('audit').selectAll().where('action', '=', 'job.retry').execute()

describe('POST /jobs/{id}/retry', () => {
  test('enqueues a parked job again, with all its attempts', async () => {
    const id = await leaveJob(db)
    const { status, json } = await api.post(`/jobs/${id}/retry`, { as: ADA })

    expect(status).toBe(202)
    expect(json).toMatchObject({ id, state: 'waiting', attempts: 0, run_after: null })
    expect(await queue()).toEqual([`job ${Number.parseInt(id, 16)}`])
    expect(await auditRows()).toMatchObject([
      { actor_id: ADA.id, object: `jobs/${id}`, before: { state: 'parked' }, after: { state: 'waiting' } },
    ])
  })

  test('keeps the log of earlier failures', async () => {
    const id = await leaveJob(db)
    await api.post(`/jobs/${id}/retry`, { as: ADA })

    expect((await api.get(`/jobs/${id}`, { as: ADA })).json.attempts_log).toHaveLength(1)
  })

  test('of two concurrent requests, one fails', async () => {
    const id = await leaveJob(db)
    const answers = await Promise.all([1, 2].map(() => api.post(`/jobs/${id}/retry`, { as: ADA })))

    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['202', '409'])
    expect(await queue()).toHaveLength(1)
  })

  test('supports dry runs', async () => {
    const id = await leaveJob(db)
    const { status, json } = await api.post(`/jobs/${id}/retry?dry_run=true`, { as: ADA })

    expect(status).toBe(200)
    expect(json.dry_run).toMatchObject({ status: 202, would_answer: { state: 'waiting' } })
    expect(await queue()).toEqual([])
    expect((await api.get(`/jobs/${id}`, { as: ADA })).json.state).toBe('parked')
  })

  test.each(['waiting', 'running', 'retrying', 'done'] as const)('refuses a job that is %s', async (state) => {
    const id = await leaveJob(db, { state })
    const { status, json } = await api.post(`/jobs/${id}/retry`, { as: ADA })

    expect(status).toBe(409)
    expect(json.error.reason).toBe('job_not_parked')
    expect(await queue()).toEqual([])
    expect(await auditRows()).toEqual([])
  })

  test.each([
    { who: undefined, id: 'ffff', status: 401 },
    { who: OLGA, id: 'ffff', status: 403 },
    { who: ADA, id: 'ffff', status: 404 },
    { who: ADA, id: 'xyz', status: 400 },
  ])('refuses $who.login at $id with $status', async ({ who, id, status }) => {
    expect((await api.post(`/jobs/${id}/retry`, who && { as: who })).status).toBe(status)
  })
})
