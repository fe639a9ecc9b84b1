import { describe, expect, test } from 'vitest'
import { readCases, readTitles } from './catalogue.ts'

// The letters of the sections of docs/attacks.md, in their order.
const SECTIONS = ['A', 'Z', 'I', 'C', 'D', 'S', 'H', 'P', 'L', 'K', 'N', 'V', 'R', 'B', 'O', 'E']
const PARTS = ['permissions that go over to children', 'release']

const cases = readCases()
const tested = readTitles()

describe('the catalogue of attacks', () => {
  test('has every case once, numbered in order within its section', () => {
    const ids = SECTIONS.flatMap((letter) =>
      cases
        .filter(({ id }) => id.startsWith(letter))
        .map((_, index) => `${letter}${String(index + 1).padStart(2, '0')}`),
    )
    expect(cases.map(({ id }) => id)).toEqual(ids)
  })

  test('states for each case where it is tested, or what it waits for', () => {
    const unclear = cases.filter(
      ({ state, files }) => files.length === 0 && !PARTS.some((part) => state === `waits for: ${part}`),
    )
    expect(unclear).toEqual([])
  })

  test('names files whose tests have the id, and waiting cases have no test', () => {
    const wrong = cases.filter(({ id, files }) => {
      const found = tested.get(id) ?? new Set()
      return files.length === 0 ? found.size > 0 : files.some((file) => !found.has(file))
    })
    expect(wrong).toEqual([])
  })

  test('contains every id in the title of a test', () => {
    expect([...tested.keys()].filter((id) => !cases.some((each) => each.id === id))).toEqual([])
  })
})
