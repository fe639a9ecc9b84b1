import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeTracker, makeTestTracker } from '../../../../test/fixtures/every-field.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM, UMA } from '../../../../test/fixtures/people.ts'
import { ORCHARD, VAULT } from '../../../../test/fixtures/seed-ids.ts'
import type { Response } from '../../../../test/harness/client.ts'
import { refused } from '../../../../test/harness/refused.ts'
import { startWorld } from '../../../../test/harness/start-world.ts'

const { api, clock } = await startWorld({ seedOnce: true })

const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const FOR_ADMINS = { permissions: { read: ['@admins'], submit: ['@members'], update: ['@admins'] } }
const DEFINITION = {
  permissions: { full: ['@anonymous'] },
  elements: [
    field('summary', 'string'),
    field('details', 'text'),
    field('secret', 'text', FOR_ADMINS),
    field('status', 'sb', { bind: { type: 'static', values: [{ label: 'Open' }, { label: 'Closed' }] } }),
    field('owner', 'msb', { bind: { type: 'users', sources: ['@members'] } }),
  ],
  semantics: { title: 'summary', status: { field: 'status', open: ['open'] }, contributor: 'owner' },
}

let valves: MadeTracker
let gauges: MadeTracker
const ids = new Map<string, number>()
const idOf = (name: string) => ids.get(name) ?? 0

async function make(tracker: MadeTracker, name: string, values: object, comment?: string): Promise<void> {
  clock.advance(1000)
  const said = comment === undefined ? {} : { comment: { body: comment, format: 'text' } }
  const body = { tracker: { id: tracker.id }, values_by_field: values, ...said }
  const { status, json, text } = await api.post('/artifacts', { as: MARA, body })
  if (status !== 201) throw new Error(text)
  ids.set(name, json.id)
}

beforeAll(async () => {
  valves = await makeTestTracker(api, { ...DEFINITION, label: 'Valves', item_name: 'valve' })
  gauges = await makeTestTracker(api, { ...DEFINITION, label: 'Gauges', item_name: 'gauge' })
  await make(valves, 'old', { summary: 'Old', details: 'The torquemeter', status: 'Closed' })
  clock.advance(40 * 24 * 60 * 60 * 1000)
  await make(valves, 'titled', { summary: 'Torquemeter', status: 'Open', owner: ['tom'] })
  await make(gauges, 'commented', { summary: 'Gauge', owner: ['tom', 'uma'] }, 'Torquemeters drift')
  await make(gauges, 'hidden', { summary: 'Hidden', secret: 'torquemeter' })
})

const search = (parameters: Record<string, string>, as: TestPerson | undefined = OLGA): Promise<Response> =>
  api.get(`/search/artifacts?${new URLSearchParams({ query: 'torquem', ...parameters }).toString()}`, as && { as })
const found = async (parameters: Record<string, string>, as?: TestPerson): Promise<string[]> => {
  const names = new Map([...ids].map(([name, id]) => [id, name]))
  return (await search(parameters, as)).json.artifacts.map(({ id }: { id: number }) => names.get(id) ?? String(id))
}

describe('GET /search/artifacts', () => {
  test('sorts by the last change on request', async () => {
    expect(await found({})).toEqual(['titled', 'commented', 'old'])
    expect(await found({ sort: 'newest' })).toEqual(['commented', 'titled', 'old'])
    expect(await found({ sort: 'newest', limit: '1', offset: '1' })).toEqual(['titled'])
    expect((await search({ sort: 'oldest' })).status).toBe(400)
  })

  test('finds by title, then by texts and comments, the last changed first, with counts', async () => {
    const { status, json, headers } = await search({})
    expect([status, headers['x-pagination-size'], json.is_complete]).toEqual([200, '3', true])
    expect(json.artifacts).toMatchObject([
      { id: idOf('titled'), matched: 'title', snippet: null, tracker: { id: valves.id }, is_open: true },
      { id: idOf('commented'), matched: 'text', snippet: 'Torquemeters drift', tracker: { id: gauges.id } },
      { id: idOf('old'), matched: 'text', snippet: 'The torquemeter', is_open: false },
    ])
    expect(json.facets).toMatchObject({
      projects: [{ project: { id: ORCHARD, shortname: 'orchard' }, count: 3 }],
      trackers: [
        { tracker: { id: valves.id, label: 'Valves' }, count: 2 },
        { tracker: { id: gauges.id, label: 'Gauges' }, count: 1 },
      ],
      assignees: [
        { user: { id: TOM.id }, count: 2 },
        { user: null, count: 1 },
        { user: { id: UMA.id }, count: 1 },
      ],
      changed_within: [
        { days: 1, count: 2 },
        { days: 7, count: 2 },
        { days: 30, count: 2 },
        { days: 365, count: 3 },
      ],
    })
  })

  test.each([
    ['a project', { project: String(ORCHARD) }, ['titled', 'commented', 'old']],
    ['a tracker', { tracker: 'valves' }, ['titled', 'old']],
    ['open ones', { tracker: 'valves', is_open: 'true' }, ['titled']],
    ['closed ones', { tracker: 'valves', is_open: 'false' }, ['old']],
    ['an assignee', { assignee: String(UMA.id) }, ['commented']],
    ['those without an assignee', { assignee: '0' }, ['old']],
    ['the last week', { changed_within: '7' }, ['titled', 'commented']],
  ])('can be limited to %s', async (_, filter, names) => {
    const tracker = 'tracker' in filter ? { tracker: String(valves.id) } : {}
    expect(await found({ ...filter, ...tracker })).toEqual(names)
  })

  test('counts the other values of a facet', async () => {
    const { json } = await search({ tracker: String(gauges.id) })
    expect(json.artifacts).toHaveLength(1)
    expect(json.facets.trackers).toMatchObject([{ count: 2 }, { count: 1 }])
    expect(json.facets.assignees).toMatchObject([{ count: 1 }, { count: 1 }])
  })

  test('neither finds nor counts texts that the caller may not read', async () => {
    expect(await found({}, MARA)).toContain('hidden')
    expect(await found({}, TOM)).not.toContain('hidden')
    expect((await search({}, TOM)).json.facets.trackers).toMatchObject([{ count: 2 }, { count: 1 }])
    expect((await search({}, MARA)).json.facets.trackers).toMatchObject([{ count: 2 }, { count: 2 }])
  })

  test('finds the artifact that the query names first', async () => {
    expect(await found({ query: `gauge #${idOf('hidden')}` })).toEqual(['hidden'])
    expect((await search({ query: String(idOf('old')) })).json.artifacts[0]).toMatchObject({ matched: 'id' })
  })

  test('finds short words in titles', async () => {
    expect(await found({ query: 'to', tracker: String(valves.id) })).toEqual(['titled'])
  })

  test('is paged', async () => {
    const { json, headers } = await search({ limit: '1', offset: '1' })
    expect(json.artifacts).toMatchObject([{ id: idOf('commented') }])
    expect(headers).toMatchObject({ 'x-pagination-size': '3', 'x-pagination-limit': '1', 'x-pagination-offset': '1' })
  })

  test('finds nothing by punctuation', async () => {
    const { status, json } = await search({ query: '%%' }, ADA)
    expect([status, json.artifacts, json.facets.projects]).toEqual([200, [], []])
  })

  test('refuses an empty query, unknown projects and trackers, and values out of range', async () => {
    expect(await search({ query: '  ' })).toMatchObject(refused(400, 'parameter_out_of_range'))
    expect(await search({ project: String(VAULT) })).toMatchObject(refused(400, 'reference_unknown'))
    expect(await search({ tracker: '999999' })).toMatchObject(refused(400, 'reference_unknown'))
    expect((await search({ assignee: '-1' })).status).toBe(400)
    expect((await search({ changed_within: '0' })).status).toBe(400)
  })
})
