import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ROOTS, TREES } from '../../../test/fixtures/linked-trackers.ts'
import { MARA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'

const { api } = await startWorld({ seedOnce: true })
const CHILD = '_is_child'
const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const computes = (target_field_name: string) => ({ properties: { target_field_name } })
const hidden = { read: ['@admins'], submit: ['@admins'], update: ['@admins'] }

let trees: MadeTracker
let roots: MadeTracker
let woods: MadeTracker
let leaves: MadeTracker
beforeAll(async () => {
  trees = await makeTestTracker(api, TREES)
  roots = await makeTestTracker(api, ROOTS)
  woods = await makeTestTracker(api, {
    label: 'Woods',
    item_name: 'wood',
    permissions: { full: ['@anonymous'] },
    elements: [
      field('summary', 'string'),
      field('total', 'computed', computes('total')),
      field('wanted', 'computed', computes('points')),
      field('links', 'art_link'),
    ],
  })
  leaves = await makeTestTracker(api, {
    label: 'Leaves',
    item_name: 'leaf',
    permissions: { full: ['@anonymous'] },
    elements: [field('points', 'float', { permissions: hidden }), field('links', 'art_link')],
  })
})

const make = (tracker: MadeTracker, values: object, children: number[] = []) =>
  makeTestArtifact(api, tracker, { ...values, links: { links: children.map((id) => ({ id, type: CHILD })) } })
const tree = (points: number | null, children: number[] = []) =>
  make(trees, { summary: 'Tree', ...(points !== null && { points }) }, children)

async function sumOf(id: number, name: string, as: TestPerson = TOM): Promise<unknown> {
  const { json } = await api.get(`/artifacts/${id}?values_format=by_field`, { as })
  return json.values_by_field[name]
}
const automatic = (value: number) => expect.objectContaining({ is_autocomputed: true, value, manual_value: null })

describe('a computed field', () => {
  test('sums the numbers of the children', async () => {
    const id = await tree(100, [await tree(3), await tree(4), await tree(null)])
    expect(await sumOf(id, 'total')).toEqual(automatic(7))
  })

  test('is absent without children, or if none has a number', async () => {
    expect(await sumOf(await tree(5), 'total')).toBeNull()
    expect(await sumOf(await tree(5, [await tree(null)]), 'total')).toBeNull()
  })

  test('continues below children that compute the number themselves, by the field name that they use', async () => {
    const one = await tree(50, [await tree(1), await tree(2)])
    const other = await tree(50, [await tree(4)])
    const wood = await make(woods, { summary: 'Wood' }, [one, other])

    expect(await sumOf(wood, 'total')).toEqual(automatic(7))
    expect(await sumOf(wood, 'wanted')).toEqual(automatic(100))
  })

  test('uses a manual value, and does not descend further', async () => {
    const one = await make(trees, { summary: 'Tree', total: { manual_value: 10 } }, [await tree(1)])
    const wood = await make(woods, { summary: 'Wood' }, [one, await tree(null, [await tree(2)])])

    expect(await sumOf(wood, 'total')).toEqual(automatic(12))
    expect(await sumOf(one, 'total')).toMatchObject({ is_autocomputed: false, value: 1, manual_value: 10 })
  })

  test('counts each artifact once, however many links lead to it', async () => {
    const shared = await tree(8)
    const [one, other] = [await tree(null, [shared]), await tree(null, [shared])]

    expect(await sumOf(await make(woods, { summary: 'Wood' }, [one, other]), 'total')).toEqual(automatic(8))
  })

  test('reflects changes and deletions below', async () => {
    const [one, other] = [await tree(1), await tree(2)]
    const wood = await make(woods, { summary: 'Wood' }, [await tree(null, [one, other])])
    await api.put(`/artifacts/${one}`, { as: TOM, body: { values_by_field: { points: 5 } } })
    expect(await sumOf(wood, 'total')).toEqual(automatic(7))
    await api.delete(`/artifacts/${other}`, { as: MARA })
    expect(await sumOf(wood, 'total')).toEqual(automatic(5))
  })

  test('counts only values that the viewer may read', async () => {
    const deep = await tree(4)
    const root = await make(roots, { summary: 'Root', points: 32 }, [deep])
    const leaf = await make(leaves, { points: 16 })
    const id = await tree(null, [await tree(1), root, leaf])
    const wood = await make(woods, { summary: 'Wood' }, [root])

    expect(await sumOf(id, 'total')).toEqual(automatic(1))
    expect(await sumOf(id, 'total', MARA)).toEqual(automatic(49))
    expect(await sumOf(wood, 'total')).toBeNull() // Descendants of a hidden child do not count.
    expect(await sumOf(wood, 'total', MARA)).toEqual(automatic(4))
  })
})
