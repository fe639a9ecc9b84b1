import { beforeAll, describe, expect, test } from 'vitest'
import type { Response } from '../harness/client.ts'
import { startWorld } from '../harness/start-world.ts'
import { type TestPerson, VICTOR } from '../fixtures/people.ts'
import { makeVisibilityWorld, type ParcelName, type VisibilityWorld } from '../fixtures/visibility-world.ts'
import { PRINCIPALS } from '../fixtures/subjects.ts'

/** Expected visibility of artifacts and fields, computed here independently of the server. */
const { api } = await startWorld({ seedOnce: true })
let world: VisibilityWorld
/** The names of the fields of Crates, by id. */
let names: ReadonlyMap<number, string>
beforeAll(async () => {
  world = await makeVisibilityWorld(api)
  const { json } = await api.get(`/trackers/${world.crates.tracker.id}`, { as: PRINCIPALS.P8 })
  names = new Map(json.fields.map((field: { field_id: number; name: string }) => [field.field_id, field.name]))
})

const { P1, P2, P3, P4, P5, P6, P7, P8, P9 } = PRINCIPALS
const get = (path: string, as: TestPerson | undefined, headers = {}) => api.get(path, { ...(as && { as }), headers })
const LIVING: readonly ParcelName[] = [
  'olgas',
  'olgasForUma',
  'toms',
  'tomsForGus',
  'guss',
  'umas',
  'forAdmins',
  'forLeads',
]

describe.each([
  { who: 'P3, who sees own submissions', as: P3, sees: ['olgas', 'olgasForUma'] as const },
  {
    who: 'P4, who also sees artifacts assigned to their group',
    as: P4,
    sees: ['olgasForUma', 'tomsForGus', 'guss'] as const,
  },
  { who: 'P5, who also sees submissions of members', as: P5, sees: ['toms', 'tomsForGus', 'umas'] as const },
  {
    who: 'P6, who also sees artifacts restricted to their group',
    as: P6,
    sees: ['olgasForUma', 'toms', 'tomsForGus', 'umas', 'forLeads'] as const,
  },
  { who: 'P7, who administers', as: P7, sees: LIVING },
  { who: 'P8, who administers the platform', as: P8, sees: LIVING },
])('$who', ({ as, sees }) => {
  const expected = () => sees.map((name) => world.parcels.ids[name])

  test('gets the exact size, and every page except the last is full', async () => {
    const path = `/trackers/${world.parcels.tracker.id}/artifacts`
    for (const order of ['asc', 'desc'])
      for (let limit = 1; limit <= LIVING.length + 1; limit++)
        for (const read of [byCursor, byOffset]) {
          const { ids, sizes, lengths } = await read(`${path}?order=${order}`, limit, as)
          const inOrder = order === 'asc' ? expected() : expected().toReversed()
          expect({ ids, sizes: [...new Set(sizes)] }).toEqual({ ids: inOrder, sizes: [String(sees.length)] })
          expect(lengths.slice(0, -1).every((length) => length === limit)).toBe(true)
        }
    const none = await get(`${path}?limit=0`, as)
    expect([none.headers['x-pagination-size'], none.json]).toEqual([String(sees.length), []])
  })

  test('gets these by id, alone, together and linked, and nothing of the others', async () => {
    const { ids } = world.parcels
    for (const [name, id] of Object.entries(ids)) {
      const isSeen = sees.some((each) => each === name)
      for (const path of ['', '/changesets', '/links', '/linked_artifacts?direction=forward', '?version=1'])
        expect((await get(`/artifacts/${id}${path}`, as)).status, `${name} ${path}`).toBe(isSeen ? 200 : 404)
    }
    const all = Object.values(ids)
    const together = await get(`/artifacts?query=${encodeURIComponent(JSON.stringify({ id: all }))}&limit=50`, as)
    expect(together.json.collection.map(idOf)).toEqual(expected())
    expect(together.headers['x-pagination-size']).toBe(String(sees.length))
  })

  test.each(['ndjson', 'csv'])('exports exactly those as %s', async (format) => {
    const { status, text } = await get(`/trackers/${world.parcels.tracker.id}/artifacts.${format}`, as)
    const rows = text.trim().split(/\r?\n/)
    const ids =
      format === 'csv' ? rows.slice(1).map((row) => Number.parseInt(row.replace('"', ''), 10)) : rows.map(idIn)
    expect([status, ids]).toEqual([200, expected()])
  })
})

test('anonymous, restricted and suspended viewers see neither the artifacts nor the tracker', async () => {
  const { tracker, ids } = world.parcels
  for (const [as, status] of [
    [P1, 401],
    [P2, 404],
    [P9, 403],
  ] as const)
    for (const path of [
      `/trackers/${tracker.id}`,
      `/trackers/${tracker.id}/artifacts`,
      `/trackers/${tracker.id}/artifacts.csv`,
      ...Object.values(ids).map((id) => `/artifacts/${id}`),
    ])
      expect((await get(path, as)).status, `${as?.login} ${path}`).toBe(status)
})

test('artifacts of a private project are visible only there', async () => {
  const { tracker, id } = world.vault
  for (const as of [VICTOR, P8]) {
    expect((await get(`/trackers/${tracker}/artifacts`, as)).headers['x-pagination-size']).toBe('1')
    expect((await get(`/artifacts/${id}`, as)).status).toBe(200)
  }
  for (const as of [P2, P3, P4, P5, P6, P7]) {
    expect((await get(`/trackers/${tracker}/artifacts`, as)).status).toBe(404)
    expect((await get(`/artifacts/${id}`, as)).status).toBe(404)
  }
})

const OPEN = ['summary', 'details', 'weight', 'total', 'links', 'references', 'seen_by', 'number']
const USERS = ['for_users', 'list_for_users', 'files_for_users']
const MEMBERS = ['for_members', 'list_for_members', 'files_for_members', 'kept']
const GROUP = ['for_leads', 'list_for_leads', 'files_for_leads']
const ADMINS = ['for_admins', 'list_for_admins', 'files_for_admins', 'tags', 'given']

describe.each([
  { who: 'P1', as: P1, reads: OPEN },
  { who: 'P3', as: P3, reads: [...OPEN, ...USERS] },
  { who: 'P4', as: P4, reads: [...OPEN, ...USERS, ...GROUP] },
  { who: 'P5', as: P5, reads: [...OPEN, ...USERS, ...MEMBERS] },
  { who: 'P6', as: P6, reads: [...OPEN, ...USERS, ...MEMBERS, ...GROUP] },
  { who: 'P7', as: P7, reads: [...OPEN, ...USERS, ...MEMBERS, ...ADMINS] },
  { who: 'P8', as: P8, reads: [...OPEN, ...USERS, ...MEMBERS, ...GROUP, ...ADMINS] },
])('$who, reading the fields of one artifact,', ({ as, reads }) => {
  const readable = reads.toSorted()
  const named = (entries: readonly { field_id: number }[]) =>
    entries.map((entry) => names.get(entry.field_id) ?? '').toSorted()

  test('sees exactly the readable fields, in the tracker and in both forms of values', async () => {
    const { tracker, ids } = world.crates
    const fields: { field_id: number }[] = (await get(`/trackers/${tracker.id}`, as)).json.fields
    expect(named(fields)).toEqual(readable)
    const { json } = await get(
      `/artifacts/${ids.full}?values_format=all&by_field_types=all&tracker_structure_format=complete`,
      as,
    )
    expect(Object.keys(json.values_by_field).toSorted()).toEqual(readable)
    expect(named(json.tracker.fields)).toEqual(readable)
    expect(readable).toEqual(expect.arrayContaining(named(json.values)))
    const shown = named(json.values)
    expect(reads.filter((name) => !shown.includes(name))).toEqual(['seen_by']) // It was never set.
  })

  test('sees no other fields in lists, history and exports', async () => {
    const { tracker, ids } = world.crates
    const list = await get(`/trackers/${tracker.id}/artifacts?values=all`, as)
    for (const { values } of list.json) expect(readable).toEqual(expect.arrayContaining(named(values)))
    const versions = await get(`/artifacts/${ids.full}/changesets?diff=true&limit=50`, as)
    for (const { values, changes } of versions.json) {
      expect(readable).toEqual(expect.arrayContaining(named(values)))
      expect(readable).toEqual(expect.arrayContaining(named(changes)))
    }
    const [head = ''] = (await get(`/trackers/${tracker.id}/artifacts.csv`, as)).text.split('\n', 1)
    for (const name of [...USERS, ...MEMBERS, ...GROUP, ...ADMINS])
      expect(new RegExp(`\\b${name}\\b`).test(head), `${name} in ${head}`).toBe(reads.includes(name))
  })
})

test('a sum covers only the children that its reader may see', async () => {
  const { tracker, ids } = world.crates
  const total = async (as: TestPerson | undefined) => {
    const { json } = await get(`/artifacts/${ids.full}`, as)
    return json.values.find(({ field_id }: { field_id: number }) => field_id === tracker.field('total')).value
  }
  for (const as of [P1, P3, P4, P5, P6]) expect(await total(as), as?.login).toBe(3)
  for (const as of [P7, P8]) expect(await total(as)).toBe(503)
})

function idOf({ id }: { id: number }): number {
  return id
}

function idIn(line: string): number {
  return idOf(JSON.parse(line))
}

async function byOffset(path: string, limit: number, as: TestPerson) {
  const pages: Response[] = []
  for (let offset = 0; ; offset += limit) {
    const page = await get(`${path}&limit=${limit}&offset=${offset}`, as)
    pages.push(page)
    if (page.json.length < limit) return joined(pages)
  }
}

async function byCursor(path: string, limit: number, as: TestPerson) {
  const pages: Response[] = []
  for (let next: string | undefined = `${path}&limit=${limit}`; next !== undefined; ) {
    const page: Response = await get(next, as)
    pages.push(page)
    next = /<([^>]*)>; rel="next"/.exec(String(page.headers.link))?.[1]
  }
  return joined(pages)
}

function joined(pages: readonly Response[]) {
  return {
    ids: pages.flatMap(({ json }) => json.map(idOf)),
    sizes: pages.map(({ headers }) => headers['x-pagination-size']),
    lengths: pages.map(({ json }) => json.length),
  }
}
