import { describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson, TOM } from '../../test/fixtures/people.ts'
import { ORCHARD, VAULT } from '../../test/fixtures/seed-ids.ts'

const { api } = await startWorld()

describe('GET /projects/{id}/members', () => {
  test.each([TOM, MARA, ADA])('lists members by login to $login, without addresses', async (as) => {
    const { status, json } = await api.get(`/projects/${ORCHARD}/members`, { as })
    expect(status).toBe(200)
    expect(json.map(({ username }: { username: string }) => username)).toEqual(['mara', 'sam', 'tom', 'uma'])
    expect(json[0]).not.toHaveProperty('email')
  })

  test('is paged', async () => {
    const { json, headers } = await api.get(`/projects/${ORCHARD}/members?limit=1&offset=2`, { as: TOM })
    expect([json.length, json[0].username, headers['x-pagination-size']]).toEqual([1, 'tom', '4'])
  })

  test.each<{ as?: TestPerson; project: number; status: number; reason: string }>([
    { as: OLGA, project: ORCHARD, status: 403, reason: 'permission_denied' },
    { as: GUS, project: ORCHARD, status: 403, reason: 'permission_denied' },
    { as: OLGA, project: VAULT, status: 404, reason: 'not_found' },
    { project: ORCHARD, status: 401, reason: 'authentication_required' },
  ])('is refused by $status $reason', async ({ as, project, status, reason }) => {
    const answer = await api.get(`/projects/${project}/members`, as ? { as } : {})
    expect([answer.status, answer.json.error.reason]).toEqual([status, reason])
  })
})
