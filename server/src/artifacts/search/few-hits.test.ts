import { beforeAll, describe, expect, test } from 'vitest'
import { writeInBulk } from '../../../test/fixtures/bulk.ts'
import { type MadeTracker, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { MARA, TOM, type TestPerson, UMA } from '../../../test/fixtures/people.ts'
import { LEADS } from '../../../test/fixtures/seed-ids.ts'
import { startWorld } from '../../../test/harness/start-world.ts'

// "Rare" has few hits, whose page comes from indexes alone; "Common" has more than the limit of that statement.
const { api } = await startWorld({ seedOnce: true })

const COMMON = 2010
const RARE = 12

let tracker: MadeTracker
const ids: Record<string, number[]> = { Common: [], Rare: [] }
const hidden = new Set<number>()
const deleted = new Set<number>()

beforeAll(async () => {
  const everybody = { permissions: { read: ['@anonymous'], submit: ['@members'], update: ['@members'] } }
  tracker = await makeTestTracker(api, {
    label: 'Lots',
    item_name: 'lots',
    permissions: { full: ['@members'] },
    elements: [
      { name: 'summary', type: 'string', label: 'summary', ...everybody },
      {
        name: 'kind',
        type: 'sb',
        label: 'kind',
        bind: { type: 'static', values: [{ label: 'Common' }, { label: 'Rare' }] },
        ...everybody,
      },
      { name: 'seen_by', type: 'perm', label: 'seen_by', ...everybody },
    ],
    semantics: { title: 'summary' },
  })
  const kinds = Array.from({ length: COMMON + RARE }, (_, at) =>
    at % 150 === 0 && at / 150 < RARE ? 'Rare' : 'Common',
  )
  const { lines } = await writeInBulk(
    api,
    tracker.id,
    kinds.map((kind, at) => ({ op: 'create', values_by_field: { summary: `Lot ${at}`, kind } })),
    { as: MARA },
  )
  for (const [at, kind] of kinds.entries()) ids[kind]?.push(lines[at].id)
  for (const kind of ['Common', 'Rare']) {
    const [, second = 0, , fourth = 0] = ids[kind] ?? []
    const body = {
      values_by_field: { seen_by: { value: { granted_groups: [String(LEADS)], is_used_by_default: true } } },
    }
    await api.put(`/artifacts/${second}`, { as: MARA, body })
    await api.delete(`/artifacts/${fourth}`, { as: MARA })
    hidden.add(second)
    deleted.add(fourth)
  }
})

const VIEWERS: readonly [TestPerson, boolean][] = [
  [TOM, false],
  [UMA, true],
  [MARA, true],
]

describe.each(['Rare', 'Common'])('a list by one value, %s,', (kind) => {
  const get = async (as: TestPerson, parameters: Record<string, string>) => {
    const query = new URLSearchParams({ query: JSON.stringify({ kind }), limit: '5', ...parameters }).toString()
    return api.get(`/trackers/${tracker.id}/artifacts?${query}`, { as })
  }
  const expected = (seesHidden: boolean) =>
    (ids[kind] ?? []).filter((id) => !deleted.has(id) && (seesHidden || !hidden.has(id)))

  test.each(VIEWERS)('of $login has the visible artifacts, and their exact number', async (viewer, seesHidden) => {
    const all = expected(seesHidden)
    for (const [parameters, page] of [
      [{}, all.slice(0, 5)],
      [{ order: 'desc' }, all.toReversed().slice(0, 5)],
      [{ offset: '4' }, all.slice(4, 9)],
      [{ limit: '0' }, []],
      [{ offset: '3000' }, []],
    ] as const) {
      const { json, headers } = await get(viewer, parameters)
      expect(json.map(({ id }: { id: number }) => id)).toEqual(page)
      expect(headers['x-pagination-size']).toBe(String(all.length))
    }
  })

  test.each(VIEWERS)('of $login, sorted, is the same when its size is known', async (viewer, seesHidden) => {
    const all = expected(seesHidden)
    const expert_query = `kind = "${kind}" ORDER BY kind`
    for (const offset of [0, 0, 4]) {
      const query = new URLSearchParams({ expert_query, limit: '5', offset: String(offset) }).toString()
      const { json, headers } = await api.get(`/trackers/${tracker.id}/artifacts?${query}`, { as: viewer })
      expect(json.map(({ id }: { id: number }) => id)).toEqual(all.slice(offset, offset + 5))
      expect(headers['x-pagination-size']).toBe(String(all.length))
    }
  })

  test.each(['asc', 'desc'])('continues by cursor, %s', async (order) => {
    const all = order === 'asc' ? expected(false) : expected(false).toReversed()
    const first = await get(TOM, { order })
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
    const { json, headers } = await api.get(next, { as: TOM })
    expect(json.map(({ id }: { id: number }) => id)).toEqual(all.slice(5, 10))
    expect(headers['x-pagination-size']).toBe(String(all.length))
  })
})
