import { beforeAll, describe, expect, test } from 'vitest'
import type { RequestOptions, Response } from '../../../test/harness/client.ts'
import type { AnyJson } from '../../../test/harness/expected-counts.ts'
import { EVERY_FIELD, makeTestArtifact, type MadeTracker, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { OLGA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { refused } from '../../../test/harness/refused.ts'

const { api, context } = await startWorld({ seedOnce: true })

const MOODS = {
  type: 'static',
  alphabetical: true,
  values: [{ label: 'sunny' }, { label: 'rain 10' }, { label: 'rain 9' }, { label: 'gone', hidden: true }],
}

let tracker: MadeTracker
beforeAll(async () => {
  await context.db.updateTable('account').set({ time_zone: 'Europe/Vienna' }).where('id', '=', UMA.id).execute()
  tracker = await makeTestTracker(api, {
    ...EVERY_FIELD,
    elements: [...EVERY_FIELD.elements, { name: 'mood', type: 'sb', label: 'Mood', bind: MOODS }],
  })
  const artifacts: object[] = [
    { summary: 'One', status: 'Open', effort: 0.1, assigned_to: { value: ['tom', 'uma'] }, due: '2026-02-28' },
    { summary: 'Two', status: 'Open', effort: 0.2, assigned_to: { value: ['uma'] }, due: '2026-03-01', mood: 'rain 9' },
    { summary: 'Three', status: 'Closed', fruits: { value: ['Apple', 'Plum'] }, due: '2025-12-31', mood: 'rain 10' },
    { summary: 'Four', tags: { value: ['cold', 'urgent', 'bad'] }, team: 'leads', started: '2025-12-31T23:30:00Z' },
    { summary: 'Five', status: 'Working', tags: { value: ['urgent'] }, points: -1, fruits: { value: ['Plum'] } },
  ]
  for (const values of artifacts) await makeTestArtifact(api, tracker, values)
})

const ask = (query: string, options: RequestOptions = { as: TOM }): Promise<Response> =>
  api.get(`/trackers/${tracker.id}/artifacts/groups?${query}`, options)
const counted = async (query: string, options: RequestOptions = { as: TOM }) =>
  (await ask(query, options)).json.groups
    .map(({ key, count }: AnyJson) => [...key.map(named), count].join(' '))
    .join(', ')
const named = (key: AnyJson) => String(key?.label ?? key?.username ?? key)
const nextOf = ({ headers }: Response) => /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]

describe('groups', () => {
  test('follow the order of the list values, with "no value" last', async () => {
    const { json, headers } = await ask('by=status&sum=effort')
    const value = (label: string) => ({ id: tracker.value('status', label), label })
    expect(json).toEqual({
      by: [{ name: 'status', field_id: tracker.field('status'), type: 'sb', bucket: null }],
      total: 5,
      groups: [
        { key: [value('Open')], count: 2, sum: { effort: 0.3 } },
        { key: [value('Working')], count: 1, sum: { effort: null } },
        { key: [value('Closed')], count: 1, sum: { effort: null } },
        { key: [null], count: 1, sum: { effort: null } },
      ],
    })
    expect(headers).toMatchObject({ 'x-pagination-size': '4', 'x-pagination-limit': '200' })
    expect(headers['x-pagination-limit-max']).toBe('1000')
  })

  test('are the same in XML', async () => {
    const { text } = await ask('by=status,is_open&sum=effort&limit=1', {
      as: TOM,
      headers: { accept: 'application/xml' },
    })
    const id = tracker.value('status', 'Open')
    expect(text).toContain(
      `<key><item><id>${id}</id><label>Open</label></item><item>true</item></key><count>2</count><sum><effort>0.3</effort></sum>`,
    )
  })

  test('of a field with several values contain an artifact in each, and the total counts it once', async () => {
    expect(await counted('by=fruits')).toEqual('Apple 1, Plum 2, null 3')
    expect((await ask('by=fruits')).json.total).toBe(5)
    expect(await counted('by=assigned_to')).toEqual('tom 1, uma 2, null 3')
    expect((await ask('by=assigned_to')).json.groups[0].key[0]).toMatchObject({ id: TOM.id, uri: `users/${TOM.id}` })
  })

  test('of an open list follow the order of its values, then of added values by label', async () => {
    expect(await counted('by=tags')).toEqual('cold 1, bad 1, urgent 2, null 3')
    const artifact = await api.get(`/trackers/${tracker.id}/artifacts?values=all&limit=1&offset=3`, { as: TOM })
    const values = artifact.json[0].values.find(({ label }: AnyJson) => label === 'tags').bind_value_objects
    const { groups } = (await ask('by=tags')).json
    expect(groups[1].key).toEqual([{ id: values[2].id, label: 'bad' }])
  })

  test.each([
    ['by=mood', 'rain 9 1, rain 10 1, null 3'],
    ['by=team', 'leads 1, null 4'],
    ['by=@status', 'Open 2, Working 1, Closed 1, null 1'],
    ['by=@assigned_to', 'tom 1, uma 2, null 3'],
    ['by=submitted_by', 'mara 5'],
    ['by=@last_update_by', 'mara 5'],
    ['by=is_open', 'true 3, false 2'],
    ['by=due:day', '2025-12-31 1, 2026-02-28 1, 2026-03-01 1, null 2'],
    ['by=due:week', '2025-12-29 1, 2026-02-23 2, null 2'],
    ['by=due:month', '2025-12-01 1, 2026-02-01 1, 2026-03-01 1, null 2'],
    ['by=due:quarter', '2025-10-01 1, 2026-01-01 2, null 2'],
    ['by=due:year', '2025-01-01 1, 2026-01-01 2, null 2'],
    ['by=started:year', '2025-01-01 1, null 4'],
    ['by=submitted_on:day', '2026-03-01 5'],
    ['by=due:year,is_open', '2025-01-01 false 1, 2026-01-01 true 2, null true 1, null false 1'],
    ['by=status&order=count', 'Open 2, Working 1, Closed 1, null 1'],
    ['by=fruits&order=count', 'null 3, Plum 2, Apple 1'],
    ['by=places&empty=true', 'Barn 0, Yard 0, Dock 0, null 5'],
    ['by=mood&empty=true', 'rain 9 1, rain 10 1, sunny 0, null 3'],
    ['by=is_open&empty=true', 'true 3, false 2'],
    ['by=severity,is_open&empty=true', 'Low true 0, Low false 0, High true 0, High false 0, null true 3, null false 2'],
  ])('%s', async (query, expected) => {
    expect(await counted(query)).toEqual(expected)
  })

  test('may use the id of the field', async () => {
    const { json } = await ask(`by=${tracker.field('team')}&sum=${tracker.field('points')}`)
    expect(json.by[0].name).toBe('team')
    expect(json.groups.at(-1)).toMatchObject({ key: [null], sum: { points: -1 } })
  })

  test("of instants start at the caller's midnight, and those of days are the same everywhere", async () => {
    expect(await counted('by=started:year', { as: UMA })).toEqual('2026-01-01 1, null 4')
    expect(await counted('by=due:day', { as: UMA })).toEqual(await counted('by=due:day'))
  })

  test('support every time zone that an account may have', async () => {
    for (const time_zone of [...Intl.supportedValuesOf('timeZone'), 'Asia/Calcutta', 'europe/vienna']) {
      await context.db.updateTable('account').set({ time_zone }).where('id', '=', OLGA.id).execute()
      expect([time_zone, (await ask('by=started:year', { as: OLGA })).status]).toEqual([time_zone, 200])
    }
  })
})

describe('filters', () => {
  const OPEN = JSON.stringify({ status: 'Open' })
  test('are those of the list: criteria, also as a body, and a query', async () => {
    const expected = 'tom 1, uma 2'
    expect(await counted(`by=assigned_to&query=${encodeURIComponent(OPEN)}`)).toEqual(expected)
    expect(await counted('by=assigned_to', { as: TOM, body: { status: 'Open' } })).toEqual(expected)
    expect(await counted(`by=assigned_to&expert_query=${encodeURIComponent('status = "Open"')}`)).toEqual(expected)
    expect((await ask('by=assigned_to', { as: TOM, body: { status: 'Open' } })).json.total).toBe(2)
  })

  test('that conflict, or are empty, are reported', async () => {
    const both = await ask(`by=team&query=${encodeURIComponent(OPEN)}`, { as: TOM, body: {} })
    expect(both).toMatchObject(refused(400, 'parameter_conflict', { cause: 'body_and_query' }))
    expect((await ask('by=team', { as: TOM, body: { due: 'soon' } })).headers['x-criteria-ignored']).toBe('due')
    const query = await ask(`by=team&expert_query=${encodeURIComponent('nothing = 1')}`)
    expect(query).toMatchObject(refused(400, 'query_unknown_key', { path: 'expert_query' }))
  })

  test('of the past match past values and count by current ones', async () => {
    const past = encodeURIComponent('status = "" AS OF "2026-01-01"')
    expect((await ask(`by=status&expert_query=${past}`)).json).toMatchObject({ total: 0, groups: [] })
  })

  test('can be explained', async () => {
    const { json } = await ask(`by=status&expert_query=${encodeURIComponent('EXPLAIN status = "Open"')}`)
    expect(json.explain.normalized).toBe('EXPLAIN status = "Open"')
  })
})

describe('pages', () => {
  test('are full, and cursors reach all of them', async () => {
    for (const query of ['by=due:day,tags', 'by=due:day,tags&order=count', 'by=tags,status&empty=true']) {
      const whole = (await ask(query)).json
      const walked: AnyJson[] = []
      for (let next: string | undefined = `/trackers/${tracker.id}/artifacts/groups?${query}&limit=2`; next; ) {
        const page: Response = await api.get(next, { as: TOM })
        expect(page.headers['x-pagination-size']).toBe(String(whole.groups.length))
        expect(page.json.total).toBe(whole.total)
        walked.push(...page.json.groups)
        next = nextOf(page)
      }
      expect(walked).toEqual(whole.groups)
      expect((await ask(`${query}&limit=3&offset=1`)).json.groups).toEqual(whole.groups.slice(1, 4))
    }
  })

  test('have limits, and a cursor is valid for its own grouping only', async () => {
    for (const limit of [0, 1001])
      expect(await ask(`by=status&limit=${limit}`)).toMatchObject(refused(400, 'parameter_out_of_range'))
    const cursor = new URL(nextOf(await ask('by=status&limit=1')) ?? '', api.origin).searchParams.get('cursor')
    const other = await ask(`by=tags&limit=1&cursor=${cursor}`)
    expect(other).toMatchObject(refused(400, 'parameter_conflict', { cause: 'cursor_of_another_query' }))
  })
})
