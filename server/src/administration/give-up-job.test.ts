import { describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, OLGA } from '../../test/fixtures/people.ts'
import { leaveJob } from '../../test/fixtures/sample-jobs.ts'

const { api, context } = await startWorld()
const { db } = context
const auditRows = () => db.selectFrom('audit').selectAll().where('action', '=', 'job.give_up').execute()

describe('DELETE /jobs/{id}', () => {
  test('deletes a parked job, and writes an audit entry', async () => {
    const id = await leaveJob(db)
    const { status, text } = await api.delete(`/jobs/${id}`, { as: ADA })

    expect(status).toBe(200)
    expect(text).toBe('')
    expect((await api.get(`/jobs/${id}`, { as: ADA })).status).toBe(404)
    expect((await api.delete(`/jobs/${id}`, { as: ADA })).status).toBe(404)
    expect(await auditRows()).toMatchObject([
      { actor_id: ADA.id, object: `jobs/${id}`, before: { type: 'mail', object: 'artifacts/2041' }, after: null },
    ])
  })

  test('supports dry runs', async () => {
    const id = await leaveJob(db)
    const { json } = await api.delete(`/jobs/${id}?dry_run=true`, { as: ADA })

    expect(json.dry_run).toMatchObject({ status: 200, would_answer: null, changes: [{ op: 'delete' }] })
    expect((await api.get(`/jobs/${id}`, { as: ADA })).status).toBe(200)
  })

  test.each(['waiting', 'running', 'retrying', 'done'] as const)('refuses a job that is %s', async (state) => {
    const id = await leaveJob(db, { state })
    const { status, json } = await api.delete(`/jobs/${id}`, { as: ADA })

    expect(status).toBe(409)
    expect(json.error.reason).toBe('job_not_parked')
    expect((await api.get(`/jobs/${id}`, { as: ADA })).json.state).toBe(state)
    expect(await auditRows()).toEqual([])
  })

  test('refuses other callers, and audits the attempt', async () => {
    const id = await leaveJob(db)

    expect((await api.delete(`/jobs/${id}`)).status).toBe(401)
    expect((await api.delete(`/jobs/${id}`, { as: OLGA })).status).toBe(403)
    expect((await api.delete('/jobs/xyz', { as: ADA })).status).toBe(400)
    expect(await auditRows()).toMatchObject([{ actor_id: OLGA.id, outcome: 'refused' }])
  })
})
