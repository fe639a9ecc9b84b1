import { describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, OLGA } from '../../test/fixtures/people.ts'
import { leaveJob } from '../../test/fixtures/sample-jobs.ts'

const { api, context } = await startWorld()

describe('GET /jobs/{id}', () => {
  test('shows the attempts, but not the payload', async () => {
    const id = await leaveJob(context.db)
    const { status, json, text } = await api.get(`/jobs/${id}`, { as: ADA })

    expect(status).toBe(200)
    expect(json).toMatchObject({
      id,
      uri: `jobs/${id}`,
      state: 'parked',
      attempts_log: [{ on: '2026-03-01T09:31:00+00:00', duration_ms: 12, error: 'store not reachable' }],
    })
    expect(text).not.toContain('not for administrators')
  })

  test('accepts the id in either case', async () => {
    const id = await leaveJob(context.db)

    expect((await api.get(`/jobs/${id.toUpperCase()}`, { as: ADA })).json.id).toBe(id)
  })

  test.each([
    { who: undefined, id: 'ffff', status: 401, reason: 'authentication_required' },
    { who: OLGA, id: 'ffff', status: 403, reason: 'permission_denied' },
    { who: ADA, id: 'ffff', status: 404, reason: 'not_found' },
    { who: ADA, id: 'f'.repeat(40), status: 404, reason: 'not_found' },
    { who: ADA, id: 'xyz', status: 400, reason: 'id_malformed' },
    { who: ADA, id: '-1', status: 400, reason: 'id_malformed' },
  ])('refuses $who.login at $id with $reason', async ({ who, id, status, reason }) => {
    const answer = await api.get(`/jobs/${id}`, who && { as: who })

    expect(answer.status).toBe(status)
    expect(answer.json.error.reason).toBe(reason)
  })
})
