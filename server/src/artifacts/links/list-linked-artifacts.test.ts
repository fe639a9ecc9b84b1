import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { linking, ROOTS, TREES } from '../../../test/fixtures/linked-trackers.ts'
import { MARA, TOM } from '../../../test/fixtures/people.ts'
import { refused } from '../../../test/harness/refused.ts'

const { api } = await startWorld({ seedOnce: true })
let trees: MadeTracker
const { plant } = linking(api, () => trees)
const CHILD = '_is_child'
const idsIn = (list: { id: number }[]) => list.map(({ id }) => id)

let id: number
let children: number[]
let friend: number
let root: number
beforeAll(async () => {
  trees = await makeTestTracker(api, TREES)
  const roots = await makeTestTracker(api, ROOTS)
  root = await makeTestArtifact(api, roots, { summary: 'Root' })
  children = [await plant(), await plant(), await plant()]
  friend = await plant()
  const links = [...children, root].map((child) => ({ id: child, type: CHILD }))
  id = await plant({ links: [...links, { id: friend }] })
})

describe('GET /artifacts/{id}/links', () => {
  test('lists each link type in use, in each direction', async () => {
    const { json } = await api.get(`/artifacts/${id}/links`, { as: TOM })

    expect(json).toEqual({
      natures: [
        {
          shortname: '',
          direction: 'forward',
          label: '',
          uri: `artifacts/${id}/linked_artifacts?nature=&direction=forward`,
        },
        {
          shortname: CHILD,
          direction: 'forward',
          label: 'Child',
          uri: `artifacts/${id}/linked_artifacts?nature=_is_child&direction=forward`,
        },
      ],
    })
    expect((await api.get(`/artifacts/${children[0]}/links`)).json.natures).toMatchObject([
      { shortname: CHILD, direction: 'reverse', label: 'Parent' },
    ])
  })

  test('omits links whose other end the caller does not see', async () => {
    const lonely = await plant({ links: [{ id: root, type: CHILD }] })

    expect((await api.get(`/artifacts/${lonely}/links`, { as: TOM })).json).toEqual({ natures: [] })
    expect((await api.get(`/artifacts/${lonely}/links`, { as: MARA })).json.natures).toHaveLength(1)
  })
})

describe('GET /artifacts/{id}/linked_artifacts', () => {
  test('lists the visible link targets with all values', async () => {
    const { json, headers } = await api.get(`/artifacts/${id}/linked_artifacts?direction=forward&nature=${CHILD}`, {
      as: TOM,
    })

    expect(idsIn(json.collection)).toEqual(children)
    expect(headers['x-pagination-size']).toBe('3')
    expect(json.collection[0]).toMatchObject({ title: 'Tree', values_by_field: { summary: { value: 'Tree' } } })
    expect(json.collection[0].values).not.toEqual([])
    const own = await api.get(`/artifacts/${id}/linked_artifacts?direction=forward&nature=${CHILD}`, { as: MARA })
    expect(own.headers['x-pagination-size']).toBe('4')
  })

  test('without a nature lists untyped links', async () => {
    for (const query of ['direction=forward', 'direction=forward&nature='])
      expect(idsIn((await api.get(`/artifacts/${id}/linked_artifacts?${query}`)).json.collection)).toEqual([friend])
  })

  test('lists the reverse direction', async () => {
    const query = `direction=reverse&nature=${CHILD}`
    expect(idsIn((await api.get(`/artifacts/${children[1]}/linked_artifacts?${query}`)).json.collection)).toEqual([id])
  })

  test('has full pages of visible artifacts, by offset and by link', async () => {
    const path = `/artifacts/${id}/linked_artifacts?direction=forward&nature=${CHILD}&limit=2`
    const first = await api.get(path, { as: TOM })
    const second = await api.get(`${path}&offset=2`, { as: TOM })
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? ''

    expect(idsIn(first.json.collection)).toEqual(children.slice(0, 2))
    expect(idsIn(second.json.collection)).toEqual(children.slice(2))
    expect(idsIn((await api.get(next, { as: TOM })).json.collection)).toEqual(children.slice(2))
  })

  test('has a flat form: by field name, a scalar or labels', async () => {
    const friends = [await plant(), await plant()]
    const tree = await plant({ links: friends.map((each) => ({ id: each })) })
    const parent = await plant({ links: [{ id: tree, type: CHILD }] })
    const path = `/artifacts/${parent}/linked_artifacts?direction=forward&nature=${CHILD}&output_format`

    const [flat] = (await api.get(`${path}=flat`)).json
    const [joined] = (await api.get(`${path}=flat_with_semicolon_string_array`)).json
    expect(flat).toMatchObject({ summary: 'Tree', points: null, links: friends.map(String) })
    expect(flat).not.toHaveProperty('secret')
    expect(joined).toMatchObject({ summary: 'Tree', links: friends.join(';') })
  })

  test('requires the direction, and accepts no other form', async () => {
    const path = `/artifacts/${id}/linked_artifacts`
    expect(await api.get(path)).toMatchObject(refused(400, 'parameter_required', { path: 'direction' }))
    expect(await api.get(`${path}?direction=up`)).toMatchObject(refused(400, 'parameter_not_allowed'))
    expect(await api.get(`${path}?direction=forward&output_format=round`)).toMatchObject(
      refused(400, 'parameter_not_allowed'),
    )
    expect(await api.get(`${path}?direction=forward&limit=51`)).toMatchObject(refused(400, 'parameter_out_of_range'))
  })

  test('answers a hidden artifact like a missing one', async () => {
    expect(await api.get(`/artifacts/${root}/linked_artifacts?direction=forward`, { as: TOM })).toMatchObject(
      refused(404, 'not_found'),
    )
  })
})
