import { describe, expect, test } from 'vitest'
import { sampleArtifact } from '../../../test/sample-artifact.ts'
import { sampleField } from '../../../test/sample-tracker.ts'
import { GroupedStore } from './grouped-store.ts'

/** Two groups: the first and the second number say how many rows they have. */
const counts = (small: number, large: number) => ({
  by: [],
  total: small + large,
  groups: [
    { key: [{ id: 1, label: 'Small' }], count: small, sum: {} },
    { key: [{ id: 2, label: 'Large' }], count: large, sum: {} },
  ],
})
const page = (...ids: number[]) => ({
  offset: 0,
  artifacts: ids.map((id) => sampleArtifact(id)),
  size: ids.length,
  askedAt: 0,
})

function makeStore() {
  const collapsed = new Map<string, boolean>()
  const store = new GroupedStore(
    { choice: { field: sampleField('sb'), bucket: undefined }, sums: [] },
    {
      isCollapsed: (group) => collapsed.get(group) ?? false,
      store: (group, isCollapsed) => void collapsed.set(group, isCollapsed),
    },
  )
  store.putCounts(counts(2, 1), false)
  store.putRows('1', page(11, 12))
  store.putRows('2', page(13))
  return store
}

/** Headers by the names of their groups, and rows by their ids. */
const shown = (store: GroupedStore) =>
  Array.from({ length: store.size ?? 0 }, (_, place) => store.headerAt(place)?.name ?? store.idAt(place))

describe('rows in groups', () => {
  test('follow the header of their group', () => {
    const store = makeStore()
    expect(shown(store)).toEqual(['1', 11, 12, '2', 13])
    expect([0, 2, 3, 4, 5].map((place) => store.startOf(place))).toEqual([0, 0, 3, 3, undefined])
    expect([store.placeOf(13), store.placeOf(14)]).toEqual([4, undefined])
  })

  test('are hidden in a collapsed group, also after a new count', () => {
    const store = makeStore()
    store.setCollapsed('1', true)
    store.putCounts(counts(2, 1), false)
    expect(shown(store)).toEqual(['1', '2', 13])
    expect(store.placeOf(11)).toBeUndefined()
    expect(store.total).toBe(3)
  })

  test('stay visible until they are loaded again, and leave a group that has become smaller', () => {
    const store = makeStore()
    store.putCounts(counts(1, 2), false)
    expect(shown(store)).toEqual(['1', 11, '2', 13, undefined])
    expect(store.locate(1)?.group.rows.isMissing(0)).toBe(true)
    store.putRows('1', page(12))
    store.putRows('2', page(13, 11))
    expect(shown(store)).toEqual(['1', 12, '2', 13, 11])
    expect(store.placeOf(11)).toBe(4)
  })
})
