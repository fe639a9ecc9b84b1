import { beforeEach, describe, expect, test } from 'vitest'
import { type MadeTracker, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { linking, TREES } from '../../../test/fixtures/linked-trackers.ts'
import { ADA, MARA, OLGA, TOM, VICTOR } from '../../../test/fixtures/people.ts'
import { NURSERY, ORCHARD, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { audited } from '../../../test/harness/audited.ts'
import { refused } from '../../../test/harness/refused.ts'
import { startWorld } from '../../../test/harness/start-world.ts'

const { api, context } = await startWorld()
let trees: MadeTracker
const { create, plant, update, linksOf } = linking(api, () => trees)

const CUSTOM = { shortname: 'custom', forward_label: 'Relates to', reverse_label: 'Is related from' }
const CHILD = {
  shortname: '_is_child',
  uri: 'link_types/_is_child',
  forward_label: 'Child',
  reverse_label: 'Parent',
  is_system: true,
  is_reserved: false,
}
const SHOWN = { ...CUSTOM, uri: 'link_types/custom', is_system: false, is_reserved: false }
const IN_ORCHARD = `/projects/${ORCHARD}/link_types`
const ONLY_SITE_ADMIN = refused(403, 'permission_denied', { who_may: ['site_admin'] })

const make = (body: object = CUSTOM) => api.post('/link_types', { as: ADA, body })
const enable = (enabled: boolean, as = MARA, project: number = ORCHARD) =>
  api.put(`/projects/${project}/link_types/custom`, { as, body: { enabled } })
const allowedTypes = async (): Promise<object[]> => {
  const { json } = await api.get(`/trackers/${trees.id}`, { as: MARA })
  const fields: { type: string; allowed_types: object[] }[] = json.fields
  return fields.find(({ type }) => type === 'art_link')?.allowed_types ?? []
}

beforeEach(async () => {
  trees = await makeTestTracker(api, TREES)
})

describe('/link_types', () => {
  test('a site administrator makes a type, which everyone can list and read', async () => {
    const made = await make()
    expect(made.status).toBe(201)
    expect(made.json).toEqual(SHOWN)
    expect(made.headers['location']).toMatch(/\/api\/link_types\/custom$/)

    for (const reader of [{}, { as: OLGA }, { as: ADA }]) {
      const list = await api.get('/link_types', reader)
      expect(list.json).toEqual([CHILD, SHOWN])
      expect(list.headers['x-pagination-size']).toBe('2')
      expect((await api.get('/link_types/custom', reader)).json).toEqual(SHOWN)
      expect(await api.get('/link_types/absent', reader)).toMatchObject(refused(404, 'not_found'))
      expect(await api.get('/link_types/%00', reader)).toMatchObject(refused(404, 'not_found'))
    }
    expect(await audited(context, 'link_type.create')).toMatchObject([
      { actor_id: ADA.id, object: 'link_types/custom', after: CUSTOM },
    ])
  })

  test('pages follow a cursor', async () => {
    await make()
    const first = await api.get('/link_types?limit=1')
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(String(first.headers['link'])) ?? []
    expect([...first.json, ...(await api.get(next)).json]).toEqual([CHILD, SHOWN])
  })

  test('only site administrators write', async () => {
    await make()
    for (const person of [TOM, MARA, OLGA]) {
      expect(await api.post('/link_types', { as: person, body: CUSTOM })).toMatchObject(ONLY_SITE_ADMIN)
      const body = { forward_label: 'Mine' }
      expect(await api.patch('/link_types/custom', { as: person, body })).toMatchObject(ONLY_SITE_ADMIN)
      expect(await api.delete('/link_types/custom', { as: person })).toMatchObject(ONLY_SITE_ADMIN)
      expect(await api.delete('/link_types/absent', { as: person })).toMatchObject(ONLY_SITE_ADMIN)
    }
    expect((await api.post('/link_types', { body: CUSTOM })).status).toBe(401)
    expect((await api.delete('/link_types/custom')).status).toBe(401)
    expect((await api.get('/link_types/custom')).json).toEqual(SHOWN)
  })

  test.each([
    [{ ...CUSTOM, shortname: '_mine' }, 'name_invalid', 'shortname'],
    [{ ...CUSTOM, shortname: 'Fixed in' }, 'name_invalid', 'shortname'],
    [{ ...CUSTOM, shortname: '' }, 'name_invalid', 'shortname'],
    [{ ...CUSTOM, shortname: 'f'.repeat(256) }, 'parameter_out_of_range', 'shortname'],
    [{ ...CUSTOM, forward_label: ' ' }, 'parameter_out_of_range', 'forward_label'],
    [{ ...CUSTOM, reverse_label: 'two\nlines' }, 'parameter_invalid', 'reverse_label'],
    [{ shortname: 'custom', forward_label: 'One' }, 'parameter_required', 'reverse_label'],
  ])('%j is refused', async (body, reason, path) => {
    expect(await make(body)).toMatchObject(refused(400, reason, { path }))
    expect((await api.get('/link_types')).json).toEqual([CHILD])
  })

  test('a short name is unique', async () => {
    await make()
    const taken = refused(400, 'name_taken', { path: 'shortname' })
    expect(await make({ ...CUSTOM, forward_label: 'Other' })).toMatchObject(taken)
    expect(await make({ ...CUSTOM, shortname: '_is_child' })).toMatchObject(refused(400, 'name_invalid'))
    expect((await api.get('/link_types/custom')).json).toEqual(SHOWN)
  })

  test('renaming changes the labels everywhere, and keeps the links', async () => {
    await make()
    const target = await plant()
    const source = await plant({ links: [{ id: target, type: 'custom' }] })
    const changed = await api.patch('/link_types/custom', { as: ADA, body: { forward_label: ' Solves ' } })
    expect(changed.json).toEqual({ ...SHOWN, forward_label: 'Solves' })
    expect((await api.get('/link_types/custom')).json).toEqual(changed.json)

    expect(await linksOf(source)).toEqual({ forward: [{ id: target, type: 'custom' }], reverse: [] })
    expect((await api.get(`/artifacts/${source}/links`, { as: MARA })).json.natures).toMatchObject([
      { shortname: 'custom', label: 'Solves' },
    ])
    expect(await allowedTypes()).toContainEqual({ ...CUSTOM, forward_label: 'Solves' })
    await api.patch('/link_types/custom', { as: ADA, body: { forward_label: 'Solves' } })
    const { forward_label, reverse_label } = CUSTOM
    expect(await audited(context, 'link_type.update')).toMatchObject([
      { before: { forward_label, reverse_label }, after: { forward_label: 'Solves', reverse_label } },
    ])
  })

  test('types of the platform are neither changed, disabled nor deleted', async () => {
    const builtIn = refused(400, 'rule_violated', { cause: 'link_type_built_in' })
    const body = { forward_label: 'Branch' }
    expect(await api.patch('/link_types/_is_child', { as: ADA, body })).toMatchObject(builtIn)
    expect(await api.delete('/link_types/_is_child', { as: ADA })).toMatchObject(builtIn)
    expect(await api.put(`${IN_ORCHARD}/_is_child`, { as: MARA, body: { enabled: false } })).toMatchObject(builtIn)
    expect((await api.put(`${IN_ORCHARD}/_is_child`, { as: MARA, body: { enabled: true } })).status).toBe(200)
    expect((await api.get('/link_types')).json).toEqual([CHILD])
  })

  test('a dry run makes nothing', async () => {
    expect((await api.post('/link_types?dry_run=true', { as: ADA, body: CUSTOM })).status).toBe(200)
    expect((await api.get('/link_types')).json).toEqual([CHILD])
  })

  test('XML works in both directions', async () => {
    const headers = { accept: 'application/xml', 'content-type': 'application/xml' }
    const body =
      '<request><shortname>custom</shortname><forward_label>A</forward_label><reverse_label>B</reverse_label></request>'
    expect((await api.post('/link_types', { as: ADA, headers, body })).text).toContain('<shortname>custom</shortname>')
    expect((await api.get('/link_types', { headers })).text).toContain('<forward_label>A</forward_label>')
  })
})

describe('/projects/{id}/link_types', () => {
  test('a project lists all types, and its administrator disables and enables them', async () => {
    await make()
    const shown = { ...SHOWN, uri: `projects/${ORCHARD}/link_types/custom` }
    const child = { ...CHILD, uri: `projects/${ORCHARD}/link_types/_is_child`, enabled: true }
    expect((await api.get(IN_ORCHARD)).json).toEqual([child, { ...shown, enabled: true }])

    expect((await enable(false)).json).toEqual({ ...shown, enabled: false })
    expect((await enable(false)).json).toEqual({ ...shown, enabled: false })
    expect((await api.get(IN_ORCHARD, { as: TOM })).json).toEqual([child, { ...shown, enabled: false }])
    expect((await api.get(`${IN_ORCHARD}/custom`, { as: TOM })).json).toEqual({ ...shown, enabled: false })
    expect((await api.get(`/projects/${NURSERY}/link_types/custom`)).json.enabled).toBe(true)

    expect((await enable(true, ADA)).json).toEqual({ ...shown, enabled: true })
    const object = `projects/${ORCHARD}/link_types/custom`
    expect(await audited(context, 'project.link_type')).toMatchObject([
      { actor_id: MARA.id, object, project_id: ORCHARD, before: { enabled: true }, after: { enabled: false } },
      { actor_id: ADA.id, object, project_id: ORCHARD, before: { enabled: false }, after: { enabled: true } },
    ])
  })

  test('a disabled type is not given to new links of the project, and existing links stay', async () => {
    await make()
    const target = await plant()
    const links = { links: [{ id: target, type: 'custom' }] }
    const source = await plant(links)
    await enable(false)

    const disabled = refused(400, 'value_not_allowed', { cause: 'link_type_disabled' })
    expect(await create(links)).toMatchObject(disabled)
    const other = await plant()
    expect(await update(other, links)).toMatchObject(disabled)
    const reverse = { all_links: [{ id: other, direction: 'reverse', type: 'custom' }] }
    expect(await update(target, reverse)).toMatchObject(disabled)
    expect(await allowedTypes()).not.toContainEqual(CUSTOM)

    expect(await linksOf(source)).toEqual({ forward: [{ id: target, type: 'custom' }], reverse: [] })
    expect((await update(source, links)).status).toBe(200)
    expect(await linksOf(target)).toEqual({ forward: [], reverse: [{ id: source, type: 'custom' }] })
    await enable(true)
    expect((await update(other, links)).status).toBe(200)
  })

  test('only administrators of the project switch, and hidden projects stay hidden', async () => {
    await make()
    expect(await enable(false, TOM)).toMatchObject(refused(403, 'permission_denied', { who_may: ['project_admin'] }))
    expect(await enable(false, OLGA)).toMatchObject(refused(403, 'permission_denied'))
    expect((await api.put(`${IN_ORCHARD}/custom`, { body: { enabled: false } })).status).toBe(401)
    expect((await api.put(`${IN_ORCHARD}/absent`, { as: MARA, body: { enabled: false } })).status).toBe(404)
    expect((await api.put(`${IN_ORCHARD}/absent`, { as: TOM, body: { enabled: false } })).status).toBe(403)

    expect(await enable(false, OLGA, VAULT)).toMatchObject(refused(404, 'not_found'))
    for (const path of [`/projects/${VAULT}/link_types`, `/projects/${VAULT}/link_types/custom`]) {
      expect((await api.get(path)).status).toBe(401)
      expect(await api.get(path, { as: OLGA })).toMatchObject(refused(404, 'not_found'))
      expect((await api.get(path, { as: VICTOR })).status).toBe(200)
    }
    expect((await api.get(`${IN_ORCHARD}/custom`)).json.enabled).toBe(true)
  })
})
