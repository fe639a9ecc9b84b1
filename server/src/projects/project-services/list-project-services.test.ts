import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { OLGA, VICTOR } from '../../../test/fixtures/people.ts'
import { ORCHARD, ORCHARD_SUMMARY, ORCHARD_SVN, ORCHARD_TRACKERS, VAULT } from '../../../test/fixtures/seed-ids.ts'

const { api, context } = await startWorld()

describe('GET /projects/{id}/project_services', () => {
  test('lists the services with their pages', async () => {
    const { json, headers } = await api.get(`/projects/${ORCHARD}/project_services`)

    expect(json[0]).toEqual({
      id: ORCHARD_SVN,
      uri: `project_services/${ORCHARD_SVN}`,
      service_url: '/projects/orchard/repositories',
      name: 'plugin_svn',
      label: 'Subversion',
      is_enabled: true,
      icon: '',
      is_custom: false,
    })
    expect(json.map(({ id }: { id: number }) => id)).toEqual([ORCHARD_SVN, ORCHARD_SUMMARY, ORCHARD_TRACKERS])
    expect(headers).toMatchObject({
      'x-pagination-size': '3',
      'x-pagination-limit': '10',
      'x-pagination-limit-max': '50',
    })
  })

  test('shows custom links of the project', async () => {
    await context.db
      .insertInto('project_service')
      .values({
        project_id: ORCHARD,
        name: 'chat',
        label: 'Chat',
        is_enabled: true,
        is_custom: true,
        url: 'https://chat.example',
      })
      .execute()
    const { json } = await api.get(`/projects/${ORCHARD}/project_services`)
    expect(json[3]).toMatchObject({ service_url: 'https://chat.example', is_custom: true })
  })

  test('supports pagination', async () => {
    const first = await api.get(`/projects/${ORCHARD}/project_services?limit=2`)
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? ''
    const rest = await api.get(next)
    expect([first.json.length, rest.json.length, rest.headers['x-pagination-size']]).toEqual([2, 1, '3'])
    const none = await api.get(`/projects/${ORCHARD}/project_services?limit=0`)
    expect([none.json, none.headers['x-pagination-size']]).toEqual([[], '3'])
    expect((await api.get(`/projects/${ORCHARD}/project_services?limit=51`)).status).toBe(400)
  })

  test('is hidden with the project', async () => {
    expect((await api.get(`/projects/${VAULT}/project_services`)).status).toBe(401)
    expect((await api.get(`/projects/${VAULT}/project_services`, { as: OLGA })).status).toBe(404)
    expect((await api.get(`/projects/${VAULT}/project_services`, { as: VICTOR })).json).toHaveLength(1)
  })
})
