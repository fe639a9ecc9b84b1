import { describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { OLGA, TOM } from '../../test/fixtures/people.ts'
import { MARSH, ORCHARD, VAULT } from '../../test/fixtures/seed-ids.ts'

const { api } = await startWorld({ seedOnce: true })

describe.each([
  { type: 'git', body: { repositories: [] }, most: 1000 },
  { type: 'milestones', body: [], most: 50 },
  { type: 'plannings', body: [], most: 50 },
  { type: 'backlog', body: [], most: 100 },
])('GET /projects/{id}/$type', ({ type, body, most }) => {
  test('is empty, with the headers of a list', async () => {
    const { status, json, headers } = await api.get(`/projects/${ORCHARD}/${type}`)
    expect(status).toBe(200)
    expect(json).toEqual(body)
    expect(headers).toMatchObject({
      'x-pagination-size': '0',
      'x-pagination-limit': '10',
      'x-pagination-offset': '0',
      'x-pagination-limit-max': String(most),
    })
    expect((await api.get(`/projects/${ORCHARD}/${type}?limit=${most + 1}`)).status).toBe(400)
  })

  test('is hidden with the project', async () => {
    expect((await api.get(`/projects/${VAULT}/${type}`)).status).toBe(401)
    expect((await api.get(`/projects/${VAULT}/${type}`, { as: OLGA })).status).toBe(404)
    expect((await api.get(`/projects/2999/${type}`, { as: OLGA })).status).toBe(404)
    expect((await api.get(`/projects/${MARSH}/${type}`, { as: TOM })).json.error.reason).toBe('project_suspended')
  })
})
