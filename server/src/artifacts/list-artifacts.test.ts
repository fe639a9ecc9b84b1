import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Response } from '../../test/harness/client.ts'
import { EVERY_FIELD, makeTestArtifact, type MadeTracker, makeTestTracker } from '../../test/fixtures/every-field.ts'
import { ignoreSnapshots } from '../../test/harness/ignore-snapshots.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { inSnapshot } from '../platform/database/db.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson, RITA, SAM, TOM, UMA } from '../../test/fixtures/people.ts'
import { BUGS, LEDGER, MARSH_BUGS, SAFE } from '../../test/fixtures/seed-ids.ts'
import { refused } from '../../test/harness/refused.ts'

const { api, context } = await startWorld({ seedOnce: true })

const PEOPLE: [string, TestPerson | undefined][] = [
  ['nobody', undefined],
  ['Rita', RITA],
  ['Olga', OLGA],
  ['Gus', GUS],
  ['Tom', TOM],
  ['Uma', UMA],
  ['Mara', MARA],
  ['Ada', ADA],
]
const by = (person: TestPerson | undefined) => (person ? { as: person } : {})
const listBy = (person: TestPerson | undefined, tracker: number, query = ''): Promise<Response> =>
  api.get(`/trackers/${tracker}/artifacts${query}`, by(person))
const list = (tracker: number, query = '') => listBy(TOM, tracker, query)
const idsIn = ({ json }: Response): number[] => json.map(({ id }: { id: number }) => id)
const nextOf = ({ headers }: Response) => /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]

async function walk(path: string, person: TestPerson | undefined): Promise<Response[]> {
  const pages: Response[] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const page: Response = await api.get(next, by(person))
    pages.push(page)
    next = nextOf(page)
  }
  return pages
}

/** Artifacts of several submitters in a tracker where visibility depends on the submitter. */
async function fillTracker(permissions: object, label: string): Promise<{ tracker: MadeTracker; ids: number[] }> {
  const tracker = await makeTestTracker(api, { ...EVERY_FIELD, label, item_name: label.toLowerCase(), permissions })
  const ids: number[] = []
  const people = [TOM, UMA, MARA, ADA]
  for (let at = 0; at < 12; at++) {
    const body = {
      tracker: { id: tracker.id },
      values_by_field: {
        summary: `Delivery ${at}`,
        ...(at % 3 === 0 && { assigned_to: { value: [at % 2 === 0 ? 'uma' : 'tom'] } }),
        ...(at % 4 === 0 && { seen_by: { value: { granted_groups: at % 8 === 0 ? ['3001'] : ['2001_4', '3001'] } } }),
      },
    }
    for (const person of [people[at % 4] ?? ADA, ADA]) {
      const { status, json } = await api.post('/artifacts', { as: person, body })
      if (status !== 201) continue
      ids.push(json.id)
      break
    }
  }
  await api.delete(`/artifacts/${ids.pop()}`, { as: MARA })
  return { tracker, ids }
}

describe('visibility', () => {
  const KINDS: [string, object][] = [
    ['Open', { full: ['@anonymous'] }],
    ['Members', { full: ['@members'] }],
    ['Registered', { full: ['@registered'], admin: ['leads'] }],
    ['Own', { submitted_by_user: ['@registered'] }],
    ['Groups', { submitted_by_group: ['leads'], assigned_to_group: ['@members'] }],
    ['Mixed', { full: ['leads'], submitted_by_user: ['@members'], assigned_to_group: ['leads'] }],
  ]
  const filled = new Map<string, { tracker: MadeTracker; ids: number[] }>()
  beforeAll(async () => {
    for (const [name, permissions] of KINDS) filled.set(name, await fillTracker(permissions, name))
  })

  test.each(KINDS.flatMap(([kind]) => PEOPLE.map(([name, person]) => ({ kind, name, person }))))(
    '$kind: the list of $name equals the artifacts readable one by one, on full pages, with the exact count',
    async ({ kind, person }) => {
      const { tracker, ids } = filled.get(kind) ?? { tracker: undefined, ids: [] }
      if (!tracker) throw new Error(`There is no tracker ${kind}.`)
      const seen: number[] = []
      for (const id of ids) if ((await api.get(`/artifacts/${id}`, by(person))).status === 200) seen.push(id)
      const whole = await listBy(person, tracker.id)
      const isHidden = whole.status === (person ? 404 : 401)
      expect(isHidden ? [] : idsIn(whole)).toEqual(seen)
      if (isHidden) return
      for (const order of ['asc', 'desc']) {
        const pages = await walk(`/trackers/${tracker.id}/artifacts?limit=2&order=${order}`, person)
        expect(pages.flatMap(idsIn)).toEqual(order === 'asc' ? seen : seen.toReversed())
        for (const page of pages.slice(0, -1)) expect(idsIn(page)).toHaveLength(2)
        expect(pages.map(({ headers }) => headers['x-pagination-size'])).toEqual(pages.map(() => String(seen.length)))
      }
      const offset = await listBy(person, tracker.id, '?limit=3&offset=1')
      expect(idsIn(offset)).toEqual(seen.slice(1, 4))
    },
  )

  test('an invisible tracker does not exist for the viewer', async () => {
    for (const tracker of [SAFE, LEDGER, 999_999]) expect(await list(tracker)).toMatchObject(refused(404, 'not_found'))
    expect(await list(MARSH_BUGS)).toMatchObject(refused(404, 'project_suspended'))
    expect(await listBy(undefined, LEDGER)).toMatchObject(refused(401, 'authentication_required'))
    expect((await listBy(SAM, BUGS)).status).toBe(403)
  })
})

describe('a page', () => {
  let tracker: MadeTracker
  const ids: number[] = []
  beforeAll(async () => {
    tracker = await makeTestTracker(api, { ...EVERY_FIELD, label: 'Pages', item_name: 'page' })
    const leaf = await makeTestArtifact(api, tracker, { summary: 'Leaf', points: 5 })
    ids.push(leaf)
    for (let at = 0; at < 6; at++)
      ids.push(
        await makeTestArtifact(api, tracker, {
          summary: `Branch ${at}`,
          status: 'Open',
          assigned_to: { value: ['uma'] },
          links: { links: [{ id: leaf, type: '_is_child' }] },
        }),
      )
  })

  test('shows artifacts without values unless they are requested', async () => {
    const { json } = await list(tracker.id, '?limit=2')
    expect(json[1]).toMatchObject({ title: 'Branch 0', status: 'Open', values: null, values_by_field: null })
    expect(json[1].assignees).toEqual([expect.objectContaining({ username: 'uma' })])
    expect((await list(tracker.id, '?limit=2&values=')).json).toEqual(json)
    const { json: whole } = await list(tracker.id, '?values=all')
    for (const artifact of whole) {
      const { json: single } = await api.get(`/artifacts/${artifact.id}`, { as: TOM })
      // Only a single artifact lists its sub-resources.
      expect({ ...artifact, resources: single.resources, values_by_field: null }).toEqual({
        ...single,
        values_by_field: null,
      })
    }
    expect(await list(tracker.id, '?values=some')).toMatchObject(refused(400, 'parameter_not_allowed'))
  })

  test('needs as many statements for many rows as for one', async () => {
    ignoreSnapshots(context)
    const pool = vi.spyOn(context.db.getExecutor(), 'executeQuery')
    const count = async (query: string) => {
      pool.mockClear()
      await list(tracker.id, query)
      return pool.mock.calls.length
    }
    for (const query of ['', '&values=all', '&fields=title,values.remaining']) {
      await count(`?limit=7${query}`)
      const one = await count(`?limit=1&offset=1${query}`)
      expect(await count(`?limit=7${query}`)).toBe(one)
    }
    pool.mockRestore()
  })

  test('without rows has every header', async () => {
    const { json, headers } = await list(tracker.id, '?limit=0')
    expect(json).toEqual([])
    expect(headers).toMatchObject({
      'x-pagination-size': '7',
      'x-pagination-limit': '0',
      'x-pagination-offset': '0',
      'x-pagination-limit-max': '1000',
    })
    expect((await list(tracker.id, '?offset=7')).json).toEqual([])
  })

  test.each([
    ['limit=1001', 'parameter_out_of_range'],
    ['limit=-1', 'parameter_out_of_range'],
    ['limit=many', 'parameter_invalid'],
    ['offset=100001', 'parameter_out_of_range'],
    ['order=up', 'parameter_not_allowed'],
    ['cursor=abc', 'parameter_invalid'],
    ['fields=nothing', 'parameter_not_allowed'],
    ['fields=values.budget', 'parameter_not_allowed'],
    ['fields=values.nothing', 'parameter_not_allowed'],
  ])('with %s is refused', async (query, reason) => {
    expect(await list(tracker.id, `?${query}`)).toMatchObject(refused(400, reason))
  })

  test('continues after the previous one despite insertions and deletions, and only in its own order', async () => {
    const first = await list(tracker.id, '?limit=3')
    await makeTestArtifact(api, tracker, { summary: 'Late' })
    await api.delete(`/artifacts/${ids[2]}`, { as: MARA })
    const second = await api.get(nextOf(first) ?? '', { as: TOM })
    expect(idsIn(second)).toEqual(ids.slice(3, 6))
    expect(second.headers['x-pagination-size']).toBe('7')
    const cursor = new URL(nextOf(first) ?? '', api.origin).searchParams.get('cursor')
    expect(await list(tracker.id, `?limit=3&order=desc&cursor=${cursor}`)).toMatchObject(
      refused(400, 'parameter_conflict'),
    )
    expect(await list(BUGS, `?limit=3&cursor=${cursor}`)).toMatchObject(refused(400, 'parameter_invalid'))
    expect(await list(tracker.id, `?offset=1&cursor=${cursor}`)).toMatchObject(refused(400, 'parameter_conflict'))
  })

  test('has only the requested members', async () => {
    const { json } = await list(tracker.id, '?limit=1&order=desc&fields=title,tracker.id,values.summary')
    expect(json).toEqual([
      {
        id: expect.any(Number),
        uri: expect.any(String),
        title: 'Late',
        tracker: { id: tracker.id },
        values: [expect.objectContaining({ label: 'summary', value: 'Late' })],
      },
    ])
    const plain = await list(tracker.id, '?limit=1&values=all&fields=title')
    expect(plain.json).toEqual([{ id: ids[0], uri: `artifacts/${ids[0]}`, title: 'Leaf' }])
  })

  test('that starts with the newest artifact uses an index in order', async () => {
    const plan = await inSnapshot(context.db, async (tx) => {
      // Too few rows for the planner to prefer an index in order.
      await sql`set local enable_seqscan = off`.execute(tx)
      await sql`set local enable_sort = off`.execute(tx)
      return sql<{ 'QUERY PLAN': string }>`explain (costs off)
        select artifact.id from artifact where artifact.tracker_id = ${tracker.id} and artifact.deleted_on is null
        order by artifact.id desc limit 2`.execute(tx)
    })
    const steps = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(steps).toContain('Backward using artifact_in_list')
    expect(steps).not.toContain('Sort')
  })
})
