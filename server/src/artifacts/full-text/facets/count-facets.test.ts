import { expect, test } from 'vitest'
import { toId } from '../../../platform/database/ids.ts'
import { countFacets, type FacetedMatch, passesFilter } from './count-facets.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 24 * 60 * 60 * 1000)

function match(id: number, project: number, tracker: number, more: Partial<FacetedMatch> = {}): FacetedMatch {
  const ids = { id: toId<FacetedMatch['id']>(id), project_id: toId<FacetedMatch['project_id']>(project) }
  const facts = { rank: 1, changed_on: daysAgo(0.5), is_open: true, assignees: [] }
  return { ...ids, tracker_id: toId<FacetedMatch['tracker_id']>(tracker), ...facts, ...more }
}
const TOM = toId<FacetedMatch['assignees'][number]>(7)
const UMA = toId<FacetedMatch['assignees'][number]>(8)
const MATCHES = [
  match(1, 11, 21, { assignees: [TOM], changed_on: daysAgo(3) }),
  match(2, 11, 21, { is_open: false, assignees: [TOM, UMA], changed_on: daysAgo(20) }),
  match(3, 11, 22, { changed_on: daysAgo(400) }),
  match(4, 12, 23, { is_open: false, assignees: [UMA] }),
]

test('values are counted, the most frequent first', () => {
  expect(countFacets(MATCHES, {}, NOW)).toEqual({
    projects: [
      { value: 11, count: 3 },
      { value: 12, count: 1 },
    ],
    trackers: [
      { value: 21, count: 2 },
      { value: 22, count: 1 },
      { value: 23, count: 1 },
    ],
    is_open: [
      { value: false, count: 2 },
      { value: true, count: 2 },
    ],
    assignees: [
      { value: 7, count: 2 },
      { value: 8, count: 2 },
      { value: 0, count: 1 },
    ],
    changed_within: [
      { value: 1, count: 1 },
      { value: 7, count: 2 },
      { value: 30, count: 3 },
      { value: 365, count: 3 },
    ],
  })
})

test('a facet takes the other filters into account, and not its own', () => {
  const { projects, is_open, assignees } = countFacets(MATCHES, { is_open: false, assignee: 8 }, NOW)
  expect(projects).toEqual([
    { value: 11, count: 1 },
    { value: 12, count: 1 },
  ])
  expect(is_open).toEqual([{ value: false, count: 2 }])
  expect(assignees).toEqual([
    { value: 8, count: 2 },
    { value: 7, count: 1 },
  ])
})

test.each([
  [{ project: 11 }, [1, 2, 3]],
  [{ tracker: 21, is_open: true }, [1]],
  [{ assignee: 0 }, [3]],
  [{ assignee: 7 }, [1, 2]],
  [{ changed_within: 7 }, [1, 4]],
  [{ project: 12, assignee: 7 }, []],
])('%o leaves %o', (filter, ids) => {
  expect(MATCHES.filter((each) => passesFilter(each, filter, NOW)).map(({ id }) => id)).toEqual(ids)
})

test('at most 20 values are listed', () => {
  const many = Array.from({ length: 30 }, (_, at) => match(at + 1, 11, at + 1))
  expect(countFacets(many, {}, NOW).trackers).toHaveLength(20)
})
