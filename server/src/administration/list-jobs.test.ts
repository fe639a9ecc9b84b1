import { describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, OLGA } from '../../test/fixtures/people.ts'
import { leaveJob } from '../../test/fixtures/sample-jobs.ts'

const { api, context } = await startWorld()
const { db } = context
const idsOf = async (query: string) =>
  (await api.get(`/jobs${query}`, { as: ADA })).json.map(({ id }: { id: string }) => id)

describe('GET /jobs', () => {
  test('shows jobs, newest first, without payload', async () => {
    const older = await leaveJob(db)
    const newer = await leaveJob(db, { state: 'done', type: 'erase' })
    const { status, json, headers, text } = await api.get('/jobs', { as: ADA })

    expect(status).toBe(200)
    expect(json[1]).toEqual({
      id: older,
      uri: `jobs/${older}`,
      type: 'mail',
      state: 'parked',
      attempts: 8,
      max_attempts: 8,
      object: 'artifacts/2041',
      created_on: '2026-03-01T09:30:00+00:00',
      run_after: null,
      last_error: 'store not reachable',
      request_id: '01hq3v7k2m',
    })
    expect(json[0]).toMatchObject({ id: newer, state: 'done', type: 'erase' })
    expect(text).not.toContain('not for administrators')
    expect(headers).toMatchObject({
      'x-pagination-size': '2',
      'x-pagination-limit': '50',
      'x-pagination-limit-max': '1000',
    })
  })

  test('filters by state, type and time', async () => {
    const parked = await leaveJob(db, { created_on: '2026-02-28T23:30:00Z' })
    const done = await leaveJob(db, { state: 'done', type: 'erase', created_on: '2026-03-01T00:00:00Z' })

    expect(await idsOf('?state=parked')).toEqual([parked])
    expect(await idsOf('?type=erase')).toEqual([done])
    expect(await idsOf('?type=export')).toEqual([])
    expect(await idsOf('?from=2026-03-01')).toEqual([done])
    expect(await idsOf('?to=2026-03-01')).toEqual([parked])
    expect(await idsOf('?from=2026-02-28T23:30:00Z&to=2026-03-01T00:00:00Z')).toEqual([parked])
    expect(await idsOf('?state=parked&type=erase')).toEqual([])
  })

  test('accepts days in the time zone of the caller', async () => {
    const job = await leaveJob(db, { created_on: '2026-02-28T23:30:00Z' })
    await db.updateTable('account').set({ time_zone: 'Europe/Vienna' }).where('id', '=', ADA.id).execute()

    expect(await idsOf('?from=2026-03-01')).toEqual([job])
    expect(await idsOf('?to=2026-03-01')).toEqual([])
  })

  test('is paginated by offset and by cursor', async () => {
    const ids = [await leaveJob(db), await leaveJob(db), await leaveJob(db)].toReversed()
    const first = await api.get('/jobs?limit=2', { as: ADA })
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
    await leaveJob(db)
    const second = await api.get(next, { as: ADA })

    expect(first.json.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2))
    expect(second.json.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2))
    expect(second.headers.link).not.toContain('rel="next"')
    expect(await idsOf('?offset=3')).toEqual(ids.slice(2))
    expect(await idsOf('?offset=10')).toEqual([])
  })

  test.each([
    ['?state=asleep', 'parameter_not_allowed', 'state'],
    ['?from=yesterday', 'parameter_invalid', 'from'],
    ['?to=2026-02-30', 'parameter_invalid', 'to'],
    ['?limit=0', 'parameter_out_of_range', 'limit'],
    ['?limit=1001', 'parameter_out_of_range', 'limit'],
    ['?state=done&state=parked', 'parameter_conflict', 'state'],
  ])('refuses %s', async (query, reason, path) => {
    const { status, json } = await api.get(`/jobs${query}`, { as: ADA })

    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason, details: { path } })
  })

  test('refuses other callers', async () => {
    expect((await api.get('/jobs')).status).toBe(401)
    const olga = await api.get('/jobs', { as: OLGA })
    expect(olga.status).toBe(403)
    expect(olga.json.error.details.who_may).toEqual(['site_admin'])
  })
})
