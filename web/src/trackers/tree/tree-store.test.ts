import { describe, expect, test } from 'vitest'
import { sampleArtifact } from '../../../test/sample-artifact.ts'
import { topCondition } from './load-tree.ts'
import { TreeStore } from './tree-store.ts'

/** How many children each artifact has. */
const counts = (total: number, children: Readonly<Record<number, number>>) => ({
  by: [],
  total,
  groups: [
    ...Object.entries(children).map(([id, count]) => ({
      key: [{ id: Number(id), xref: `task #${id}`, label: null }],
      count,
      sum: {},
    })),
    { key: [null], count: 1, sum: {} },
  ],
})
const page = (...ids: number[]) => ({
  offset: 0,
  artifacts: ids.map((id) => sampleArtifact(id)),
  size: ids.length,
  askedAt: 0,
})

/** 1 has the children 11 and 12, and 12 has 121; 2 has none. */
function makeTree() {
  const store = new TreeStore()
  store.putCounts(counts(5, { 1: 2, 12: 1 }), false)
  store.putRows('', page(1, 2))
  return store
}

function makeExpanded() {
  const store = makeTree()
  store.setExpanded(1, true)
  store.putRows('1', page(11, 12))
  store.setExpanded(12, true)
  store.putRows('12', page(121))
  return store
}

const shown = (store: TreeStore) => Array.from({ length: store.size ?? 0 }, (_, place) => store.idAt(place))

describe('a tree of rows', () => {
  test('begins with the rows at the top, whose children are counted and hidden', () => {
    const store = makeTree()
    expect(shown(store)).toEqual([1, 2])
    expect([store.childCount(1), store.childCount(2), store.total]).toEqual([2, 0, 5])
  })

  test('has places for the children of an expanded row before they are loaded', () => {
    const store = makeTree()
    store.setExpanded(1, true)
    expect(shown(store)).toEqual([1, undefined, undefined, 2])
    expect(store.locate(1)?.group.name).toBe('1')
    expect(store.locate(1)?.group.rows.isMissing(0)).toBe(true)
  })

  test('knows levels, parents and places of rows at any depth', () => {
    const store = makeExpanded()
    expect(shown(store)).toEqual([1, 11, 12, 121, 2])
    expect([0, 1, 2, 3, 4].map((place) => store.levelAt(place))).toEqual([0, 1, 1, 2, 0])
    expect([0, 1, 2, 3, 4].map((place) => store.parentPlace(place))).toEqual([undefined, 0, 0, 2, undefined])
    expect([11, 121, 2].map((id) => store.placeOf(id))).toEqual([1, 3, 4])
    expect(store.find(121)?.id).toBe(121)
  })

  test('hides a branch with all that is below it, and shows it again as it was', () => {
    const store = makeExpanded()
    store.setExpanded(1, false)
    expect(shown(store)).toEqual([1, 2])
    expect(store.placeOf(121)).toBeUndefined()
    store.setExpanded(1, true)
    expect(shown(store)).toEqual([1, 11, 12, 121, 2])
  })

  test('follows new counts: a branch without children closes, and all rows are loaded again', () => {
    const store = makeExpanded()
    store.putCounts(counts(4, { 1: 2 }), false)
    expect(shown(store)).toEqual([1, 11, 12, 2])
    expect(store.locate(1)?.group.rows.isMissing(0)).toBe(true)
    store.putCounts(counts(0, {}), false)
    expect(store.size).toBe(0)
  })

  test('ends at a row that is its own ancestor', () => {
    const store = new TreeStore()
    store.putCounts(counts(2, { 1: 1 }), false)
    store.putRows('', page(1))
    store.setExpanded(1, true)
    store.putRows('1', page(1))
    expect(shown(store)).toEqual([1, 1])
  })
})

test('a row is at the top if no row of the same filter is its parent', () => {
  expect(topCondition('', 'task')).toBe('WITHOUT PARENT TRACKER = "task"')
  expect(topCondition('status = "Open"', 'task')).toBe(
    'status = "Open" AND WITHOUT PARENT TRACKER = "task" WHERE (status = "Open")',
  )
  expect(topCondition('a = 1 OR b = 2 AS OF "2026-03-01"', 'task')).toBe(
    '(a = 1 OR b = 2) AND WITHOUT PARENT TRACKER = "task" WHERE (a = 1 OR b = 2) AS OF "2026-03-01"',
  )
})
