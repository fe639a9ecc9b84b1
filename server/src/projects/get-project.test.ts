import { describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM, VICTOR } from '../../test/fixtures/people.ts'
import { MARSH, ORCHARD, RUIN, VAULT } from '../../test/fixtures/seed-ids.ts'

const { api } = await startWorld()

const SUB_RESOURCES = [
  'trackers',
  'svn',
  'project_services',
  'user_groups',
  'heartbeats',
  'labels',
  'link_types',
  'dashboard',
]

describe('GET /projects/{id}', () => {
  test('shows a public project to everyone', async () => {
    const { status, json } = await api.get(`/projects/${ORCHARD}`)

    expect(status).toBe(200)
    expect(json).toEqual({
      id: ORCHARD,
      uri: `projects/${ORCHARD}`,
      label: '🌳 Orchard',
      label_without_icon: 'Orchard',
      shortname: 'orchard',
      status: 'active',
      access: 'public',
      is_template: false,
      is_member_of: false,
      description: 'Fruit logistics',
      icon: '🌳',
      additional_fields: [],
      additional_informations: [],
      resources: SUB_RESOURCES.map((type) => ({ type, uri: `projects/${ORCHARD}/${type}` })),
    })
  })

  test('names sub-resources by the permissions of the caller', async () => {
    const types = async (as?: TestPerson): Promise<string[]> => {
      const { json } = await api.get(`/projects/${ORCHARD}`, as && { as })
      return json.resources.map(({ type }: { type: string }) => type)
    }
    expect(await types()).toEqual(SUB_RESOURCES)
    expect(await types(TOM)).toEqual([...SUB_RESOURCES, 'watch', 'members'])
    expect(await types(MARA)).toEqual([
      ...SUB_RESOURCES,
      'watch',
      'members',
      'audit',
      'imports',
      'invitations',
      'webhooks',
      'trash',
    ])
    await api.put(`/projects/${ORCHARD}/banner`, { as: MARA, body: { message: 'Harvest' } })
    expect(await types()).toEqual([...SUB_RESOURCES, 'banner'])
  })

  test.each([
    { who: undefined, id: VAULT, status: 401, reason: 'authentication_required' },
    { who: undefined, id: 2999, status: 401, reason: 'authentication_required' },
    { who: OLGA, id: VAULT, status: 404, reason: 'not_found' },
    { who: OLGA, id: 2999, status: 404, reason: 'not_found' },
    { who: OLGA, id: MARSH, status: 404, reason: 'not_found' },
    { who: TOM, id: MARSH, status: 404, reason: 'project_suspended' },
    { who: TOM, id: RUIN, status: 404, reason: 'not_found' },
    { who: OLGA, id: 'abc', status: 400, reason: 'id_malformed' },
  ])('refuses $who.login at $id with $reason', async ({ who, id, status, reason }) => {
    const answer = await api.get(`/projects/${id}`, who && { as: who })

    expect(answer.status).toBe(status)
    expect(answer.json).toMatchObject({ error: { code: status, reason } })
  })

  test.each([ADA, VICTOR])('lets $login into a private project', async (person) => {
    expect((await api.get(`/projects/${VAULT}`, { as: person })).status).toBe(200)
  })

  test('supports XML, under both prefixes, with a slash or a suffix', async () => {
    const asked = await api.get(`/projects/${ORCHARD}`, { headers: { accept: 'application/xml' } })
    const suffixed = await api.get(`/api/v1/projects/${ORCHARD}.xml`)
    const slashed = await api.get(`/api/PROJECTS/${ORCHARD}/`)

    expect(asked.headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(asked.text).toContain('<response><id>2001</id>')
    expect(suffixed.text).toBe(asked.text)
    expect(slashed.json.id).toBe(ORCHARD)
  })
})
