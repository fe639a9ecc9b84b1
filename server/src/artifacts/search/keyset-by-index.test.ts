import { beforeAll, describe, expect, test } from 'vitest'
import { writeInBulk } from '../../../test/fixtures/bulk.ts'
import { EVERY_FIELD, type MadeTracker, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, TOM } from '../../../test/fixtures/people.ts'

// Most of these artifacts match, so pages are read in index order instead of being sorted.
const { api } = await startWorld({ seedOnce: true })

interface Crate {
  readonly id: number
  readonly points: number | null
  /** One letter, so that its order is the same by any rule; several crates share one. */
  readonly title: string | null
  readonly severity: string
}

let tracker: MadeTracker
let crates: readonly Crate[]

beforeAll(async () => {
  tracker = await makeTestTracker(api, EVERY_FIELD)
  const wanted = Array.from({ length: 80 }, (_, at) => ({
    points: at % 5 === 0 ? null : (at * 7) % 9,
    title: at % 11 === 0 ? null : String.fromCharCode(97 + ((at * 5) % 13)),
    severity: at % 3 === 0 ? 'Low' : 'High',
  }))
  const { lines } = await writeInBulk(
    api,
    tracker.id,
    wanted.map(({ points, severity, title }) => ({
      op: 'create',
      values_by_field: { severity, ...(title !== null && { summary: title }), ...(points !== null && { points }) },
    })),
    { as: MARA },
  )
  crates = wanted.map((crate, at) => ({ ...crate, id: lines[at]?.id }))
  await api.delete(`/artifacts/${crates[7]?.id}`, { as: MARA }) // Deleted artifacts are still in the indexes.
  crates = crates.filter((_, at) => at !== 7)
})

/** All pages, by cursor. */
async function walk(expert_query: string, limit: number): Promise<{ ids: number[]; sizes: Set<unknown> }> {
  const ids: number[] = []
  const sizes = new Set<unknown>()
  const query = new URLSearchParams({ expert_query, limit: String(limit) }).toString()
  for (let next = `/trackers/${tracker.id}/artifacts?${query}`; next; ) {
    const { status, json, text, headers } = await api.get(next, { as: TOM })
    expect(status, text).toBe(200)
    ids.push(...json.map(({ id }: { id: number }) => id))
    sizes.add(headers['x-pagination-size'])
    next = /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1] ?? ''
  }
  return { ids, sizes }
}

function sorted(fits: (crate: Crate) => boolean, isDescending: boolean, by: 'points' | 'title' = 'points'): number[] {
  const way = isDescending ? -1 : 1
  const compare = (one: Crate, other: Crate) => {
    const [first, second] = [one[by], other[by]]
    if (first === second) return one.id - other.id
    if (first === null || second === null) return first === null ? 1 : -1
    return (first < second ? -1 : 1) * way
  }
  return crates
    .filter(fits)
    .toSorted(compare)
    .map(({ id }) => id)
}

describe('a list sorted by a number', () => {
  test.each([
    ['severity != ""', () => true],
    ['severity = "High"', ({ severity }: Crate) => severity === 'High'],
    ['severity IN ("High", "Low")', () => true],
    ['points > 1', ({ points }: Crate) => points !== null && points > 1],
    [
      'points > 1 AND severity != "Low"',
      ({ points, severity }: Crate) => points !== null && points > 1 && severity !== 'Low',
    ],
    ['NOT (points = 3)', ({ points }: Crate) => points !== 3],
  ])('%s: every page continues the previous one, with the exact size', async (query, fits) => {
    for (const isDescending of [false, true])
      for (const limit of [7, 50]) {
        const all = sorted(fits, isDescending)
        const { ids, sizes } = await walk(`${query} ORDER BY points ${isDescending ? 'DESC' : 'ASC'}`, limit)
        expect(ids).toEqual(all)
        expect(sizes).toEqual(new Set([String(all.length)]))
      }
  })

  test('has the same pages by offset', async () => {
    const all = sorted(() => true, true)
    for (const offset of [0, 13, 70, 79]) {
      const query = new URLSearchParams({
        expert_query: 'severity != "" ORDER BY points DESC',
        limit: '9',
        offset: String(offset),
      })
      const { json } = await api.get(`/trackers/${tracker.id}/artifacts?${query.toString()}`, { as: TOM })
      expect(json.map(({ id }: { id: number }) => id)).toEqual(all.slice(offset, offset + 9))
    }
  })
})

describe('a list sorted by the title', () => {
  test.each([
    ['severity != ""', () => true],
    ['severity = "High"', ({ severity }: Crate) => severity === 'High'],
    ['NOT (points = 3)', ({ points }: Crate) => points !== 3],
    ['summary = "c" OR severity = "Low"', ({ title, severity }: Crate) => title === 'c' || severity === 'Low'],
  ])('%s: every page continues the previous one, with the exact size', async (query, fits) => {
    for (const isDescending of [false, true])
      for (const limit of [7, 50]) {
        const all = sorted(fits, isDescending, 'title')
        const { ids, sizes } = await walk(`${query} ORDER BY summary ${isDescending ? 'DESC' : 'ASC'}`, limit)
        expect(ids).toEqual(all)
        expect(sizes).toEqual(new Set([String(all.length)]))
      }
  })
})
