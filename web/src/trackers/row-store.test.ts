import { describe, expect, test } from 'vitest'
import { RowStore } from './row-store.ts'
import { sampleArtifact as artifact } from '../../test/sample-artifact.ts'

const page = (offset: number, ids: number[], size: number, askedAt = 0) => ({
  offset,
  artifacts: ids.map((id) => artifact(id)),
  size,
  askedAt,
})
const ids = (store: RowStore, count: number) => Array.from({ length: count }, (_, place) => store.idAt(place))

describe('the rows of the table', () => {
  test('are present where pages have loaded, and missing elsewhere', () => {
    const store = new RowStore()
    store.putPage(page(100, [7, 8], 102))

    expect(store.size).toBe(102)
    expect(store.at(101)?.id).toBe(8)
    expect([99, 100, 102].map((place) => store.isMissing(place))).toEqual([true, false, false])
  })

  test('are inserted, moved and removed by live frames', () => {
    const store = new RowStore()
    store.putPage(page(0, [3, 2, 1], 3))
    store.apply({ event: 'ready', size: 3, rows: [3, 2, 1].map((id) => ({ id, v: `v${id}` })) }, 1)
    store.apply({ event: 'enter', id: 4, position: 0, size: 4, v: 'v4', artifact: artifact(4) }, 2)
    store.apply({ event: 'change', id: 1, position: 1, size: 4, v: 'w1', artifact: artifact(1, 'Moved') }, 3)
    store.apply({ event: 'leave', id: 2, size: 3 }, 4)

    expect(ids(store, 3)).toEqual([4, 1, 3])
    expect(store.at(1)?.title).toBe('Moved')
    expect(store.placeOf(3)).toBe(2)
  })

  test('that were loaded before the live query are loaded again, and shown meanwhile', () => {
    const store = new RowStore()
    store.putPage(page(0, [1], 1))
    store.apply({ event: 'ready', size: 1, rows: [{ id: 1, v: 'v1' }] }, 1)

    expect(store.at(0)?.id).toBe(1)
    expect(store.isMissing(0)).toBe(true)
    store.putPage(page(0, [1], 1, 2))
    expect(store.isMissing(0)).toBe(false)
  })

  test('are not overwritten by a page that was requested before a change and arrived after it', () => {
    const store = new RowStore()
    store.apply({ event: 'ready', size: 1, rows: [{ id: 1, v: 'v1' }] }, 1)
    store.apply({ event: 'change', id: 1, position: 0, size: 1, v: 'v2', artifact: artifact(1, 'Newer') }, 5)
    store.putPage(page(0, [1], 1, 4))

    expect(store.at(0)?.title).toBe('Newer')
  })

  test('below the live window are loaded again when rows are inserted or removed', () => {
    const store = new RowStore()
    store.apply({ event: 'ready', size: 3, rows: [{ id: 9, v: 'v' }] }, 1)
    store.putPage(page(1, [8, 7], 3, 2))
    expect(ids(store, 3)).toEqual([9, 8, 7])
    store.apply({ event: 'size', size: 4 }, 3)

    expect(ids(store, 3)).toEqual([9, undefined, undefined])
    expect(store.size).toBe(4)
  })

  test('stay in place when the live query ends', () => {
    const store = new RowStore()
    store.apply(
      {
        event: 'ready',
        size: 2,
        rows: [
          { id: 2, v: 'v' },
          { id: 1, v: 'v' },
        ],
      },
      1,
    )
    store.endLive()

    expect(ids(store, 2)).toEqual([2, 1])
  })

  test('show an optimistic value, and the previous one after a refusal', () => {
    const store = new RowStore()
    store.putPage(page(0, [1], 1))
    store.show(1, 5, { field_id: 5, type: 'int', label: 'Points', value: 3 })
    expect(store.at(0)?.values).toMatchObject([{ value: 3 }])
    store.show(1, 5, undefined)

    expect(store.at(0)?.values).toEqual([])
  })

  test('far from the viewport are evicted, so that scrolling through all of them does not fill the memory', () => {
    const store = new RowStore()
    for (let offset = 0; offset < 6_000; offset += 100)
      store.putPage(
        page(
          offset,
          Array.from({ length: 100 }, (_, index) => offset + index + 1),
          6_000,
        ),
      )

    expect(store.at(0)).toBeUndefined()
    expect(store.isMissing(0)).toBe(true)
    expect(store.at(5_999)?.id).toBe(6_000)
  })

  test('are moved beside another one until the live query says where they are', () => {
    const store = new RowStore()
    store.apply({ event: 'ready', size: 3, rows: [1, 2, 3].map((id) => ({ id, v: `v${id}` })) }, 1)
    store.moveBeside(3, { side: 'before', anchor: 1 })
    expect(ids(store, 3)).toEqual([3, 1, 2])
    store.moveBeside(3, { side: 'after', anchor: 1 })
    expect(ids(store, 3)).toEqual([1, 3, 2])
    store.moveBeside(3, { side: 'after', anchor: 9 })
    store.moveBeside(9, { side: 'after', anchor: 1 })
    expect(ids(store, 3)).toEqual([1, 3, 2])
  })
})
