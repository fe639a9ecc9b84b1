import { describe, expect, test } from 'vitest'
import { readCases, readTitles } from './catalogue.ts'

const COUNTS = { A: 26, Z: 49, I: 38, C: 12, D: 8, S: 4 }
const PARTS = ['permissions that go over to children', 'release']

const cases = readCases()
const tested = readTitles()

describe('the catalogue of attacks', () => {
  test('has every case once, in order', () => {
    const ids = Object.entries(COUNTS).flatMap(([kind, count]) =>
      Array.from({ length: count }, (_, at) => `${kind}${String(at + 1).padStart(2, '0')}`),
    )
    expect(cases.map(({ id }) => id)).toEqual(ids)
  })

  test('says of each case where it is tested, or what it waits for', () => {
    const unclear = cases.filter(
      ({ state, files }) => files.length === 0 && !PARTS.some((part) => state === `waits for: ${part}`),
    )
    expect(unclear).toEqual([])
  })

  test('names files whose tests have the id, and none that waits has a test', () => {
    const wrong = cases.filter(({ id, files }) => {
      const found = tested.get(id) ?? new Set()
      return files.length === 0 ? found.size > 0 : files.some((file) => !found.has(file))
    })
    expect(wrong).toEqual([])
  })

  test('knows every id in the title of a test', () => {
    expect([...tested.keys()].filter((id) => !cases.some((each) => each.id === id))).toEqual([])
  })
})
