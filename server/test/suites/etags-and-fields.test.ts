import { describe, expect, test } from 'vitest'
import { ADA, GUS, MARA, TOM } from '../fixtures/people.ts'
import { BUGS, ORCHARD } from '../fixtures/seed-ids.ts'
import { refused } from '../harness/refused.ts'
import { startWorld } from '../harness/start-world.ts'

const { api, context } = await startWorld()

const again = (path: string, etag: unknown, as = MARA) =>
  api.get(path, { as, headers: { 'if-none-match': String(etag) } })

describe('Etag and 304', () => {
  test.each([
    `/projects/${ORCHARD}`,
    '/projects',
    '/projects?limit=1',
    '/projects.xml',
    `/trackers/${BUGS}`,
    `/projects/${ORCHARD}/trackers`,
    `/projects/${ORCHARD}/user_groups`,
    `/trackers/${BUGS}/artifacts`,
    `/trackers/${BUGS}/artifacts?limit=1000&values=all`,
    `/trackers/${BUGS}/tracker_reports`,
    '/users?query=tom',
  ])('%s', async (path) => {
    const first = await api.get(path, { as: MARA })
    expect([first.status, first.headers['etag']]).toEqual([200, expect.stringMatching(/^"[\w-]{22}(?:\.[\w-]{22})?"$/)])
    const second = await again(path, first.headers['etag'])
    expect([second.status, second.text]).toEqual([304, ''])
    expect(second.headers).toMatchObject({ etag: first.headers['etag'], 'cache-control': 'private, no-cache' })
    expect((await again(path, '"other"')).text).toBe(first.text)
  })

  test('a list changes its tag with its contents, its size and its format', async () => {
    const path = '/projects?limit=1'
    const { headers } = await api.get(path, { as: MARA })
    await api.post('/projects', {
      as: ADA,
      body: { label: 'Meadow', shortname: 'meadow', description: 'Green', is_public: true, template_id: 100 },
    })
    await context.db.updateTable('project').set({ status: 'active' }).where('shortname', '=', 'meadow').execute()
    const grown = await again(path, headers['etag'])
    expect(grown.status).toBe(200)
    expect(grown.headers['x-pagination-size']).not.toBe(headers['x-pagination-size'])
    expect((await again('/projects.xml?limit=1', grown.headers['etag'])).status).toBe(200)
  })

  test('a withdrawn permission is never answered by 304', async () => {
    const path = `/trackers/${BUGS}/artifacts`
    const before = await api.get(path, { as: GUS })
    expect(before.status).toBe(200)
    const members = { user_references: [MARA, TOM].map(({ id }) => ({ id })) }
    expect((await api.patch(`/projects/${ORCHARD}`, { as: MARA, body: { access: 'private' } })).status).toBe(200)
    expect((await api.put(`/user_groups/${ORCHARD}_3/users`, { as: MARA, body: members })).status).toBe(200)
    expect((await again(path, before.headers['etag'], GUS)).status).toBe(404)
  })

  test('two callers who see different rows have different tags', async () => {
    const [all, some] = [await api.get('/projects', { as: ADA }), await api.get('/projects')]
    expect(all.headers['x-pagination-size']).not.toBe(some.headers['x-pagination-size'])
    expect(all.headers['etag']).not.toBe(some.headers['etag'])
  })
})

describe('fields', () => {
  test.each([
    [`/projects/${ORCHARD}`, 'label', ['id', 'label', 'uri']],
    [`/users/${TOM.id}`, 'username', ['id', 'uri', 'username']],
    ['/version', 'version_number', ['version_number']],
  ])('%s has only %s, with id and uri', async (path, fields, members) => {
    const { status, json } = await api.get(`${path}?fields=${fields}`, { as: ADA })
    expect([status, Object.keys(json).toSorted()]).toEqual([200, members])
  })

  test('lists have the chosen members in each element', async () => {
    const { json } = await api.get(`/projects/${ORCHARD}/user_groups?fields=short_name`, { as: MARA })
    expect(json.length).toBeGreaterThan(1)
    for (const group of json) expect(Object.keys(group).toSorted()).toEqual(['id', 'short_name', 'uri'])
  })

  test('an unknown name is refused with the nearest', async () => {
    expect(await api.get(`/projects/${ORCHARD}?fields=labl`, { as: MARA })).toMatchObject(
      refused(400, 'parameter_not_allowed', { path: 'fields', nearest: 'label' }),
    )
  })

  test('XML is cut as well', async () => {
    const { text } = await api.get(`/projects/${ORCHARD}.xml?fields=label`, { as: MARA })
    expect(text).toContain('<label>')
    expect(text).not.toContain('<shortname>')
  })
})
