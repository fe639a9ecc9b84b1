import { expect, test } from 'vitest'
import {
  countFilters,
  readSearchAddress,
  toggleFilter,
  toSearchParameters,
  withKind,
  withoutFilters,
  withSort,
} from './search-address.ts'

const WHOLE = { q: 'pump', kind: 'files', project: 101, tracker: 7, status: 'open', assignee: 0, changed: 30 } as const

test('the address holds the whole state', () => {
  expect(readSearchAddress({ ...WHOLE })).toEqual(WHOLE)
  expect(toSearchParameters(WHOLE)).toEqual({
    query: 'pump',
    project: 101,
    tracker: 7,
    is_open: true,
    assignee: 0,
    changed_within: 30,
  })
})

test.each([
  [{ q: 105 }, { q: '105' }],
  [{ q: true }, { q: 'true' }],
  [{ q: '' }, {}],
  [{ q: 'x', project: 'orchard', tracker: -1, status: 'new', assignee: 1.5, changed: 2, other: 1 }, { q: 'x' }],
])('%o is read as %o', (given, read) => {
  expect(readSearchAddress(given)).toEqual(read)
})

test('filters are counted and removed, the words stay', () => {
  expect([countFilters(WHOLE), countFilters({ q: 'x' })]).toEqual([5, 0])
  expect([withoutFilters(WHOLE), withoutFilters({ status: 'open' })]).toEqual([{ q: 'pump', kind: 'files' }, {}])
})

test('another kind keeps words and project', () => {
  expect(withKind(WHOLE, 'commits')).toEqual({ q: 'pump', kind: 'commits', project: 101 })
  expect(withKind(WHOLE, undefined)).toEqual({
    q: 'pump',
    project: 101,
    tracker: 7,
    status: 'open',
    assignee: 0,
    changed: 30,
  })
})

test('the order is no filter: it stays when filters are removed', () => {
  const newest = withSort({ q: 'x', status: 'open' }, 'newest')
  expect(readSearchAddress({ ...newest })).toEqual({ q: 'x', status: 'open', sort: 'newest' })
  expect(toSearchParameters(newest)).toEqual({ query: 'x', is_open: true, sort: 'newest' })
  expect(countFilters(newest)).toBe(1)
  expect(withoutFilters(newest)).toEqual({ q: 'x', sort: 'newest' })
  expect(withSort(newest, undefined)).toEqual({ q: 'x', status: 'open' })
  expect(readSearchAddress({ q: 'x', sort: 'oldest' })).toEqual({ q: 'x' })
})

test('a filter is added, replaced, and removed by choosing it again', () => {
  expect(toggleFilter({ q: 'x' }, { project: 1 })).toEqual({ q: 'x', project: 1 })
  expect(toggleFilter({ q: 'x', project: 1 }, { project: 2 })).toEqual({ q: 'x', project: 2 })
  expect(toggleFilter({ q: 'x', project: 1, status: 'open' }, { project: 1 })).toEqual({ q: 'x', status: 'open' })
  expect(toggleFilter({ q: 'x' }, { assignee: 0 })).toEqual({ q: 'x', assignee: 0 })
})
