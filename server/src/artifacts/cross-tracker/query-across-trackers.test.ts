import { beforeAll, describe, expect, test } from 'vitest'
import type { Response } from '../../../test/harness/client.ts'
import { type EnginesAndTasks, makeEnginesAndTasks } from '../../../test/fixtures/engines-and-tasks.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { ORCHARD, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'

const { api, clock } = await startWorld({ seedOnce: true })
let world: EnginesAndTasks
beforeAll(async () => {
  world = await makeEnginesAndTasks(api)
})

const BOTH = "@project.name = 'orchard' AND @tracker.name IN ('engine', 'task')"
const pathOf = (given: object, more = '') =>
  `/crosstracker_query/content?query=${encodeURIComponent(JSON.stringify(given))}${more}`
const ask = (tql_query: string, more = '', as: TestPerson | undefined = TOM, where: object = {}): Promise<Response> =>
  api.get(pathOf({ tql_query, ...where }, more), { ...(as && { as }) })
const select = (columns: string, rest = 'WHERE @id > 0', as: TestPerson | undefined = TOM) =>
  ask(`SELECT ${columns} FROM ${BOTH} ${rest}`, '', as)
const idsIn = ({ json }: Response): number[] =>
  json.artifacts.map((row: { '@artifact': { id: number } }) => row['@artifact'].id)
const column = ({ json }: Response, name: string): unknown[] =>
  json.artifacts.map((row: Record<string, unknown>) => row[name])
const nextOf = ({ headers }: Response) => /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]

describe('FROM', () => {
  test.each([
    ["@project.name = 'orchard' AND @tracker.name = 'engine'", {}, ['pump', 'valve']],
    ["@tracker.name = 'ENGINE' AND @project = 'Orchard'", {}, ['pump', 'valve']],
    ["@project = 'self' AND @tracker.name = 'engine'", { project_id: ORCHARD }, ['pump', 'valve']],
    ["@project IN ('self', 'vault') AND @tracker.name = 'engine'", { project_id: ORCHARD }, ['pump', 'valve']],
    ["@tracker.name IN ('task', 'nothing')", { project_id: ORCHARD }, ['weed', 'paint']],
    ["@project = MY_PROJECTS() AND @tracker.name = 'task'", {}, ['weed', 'paint']],
    ["@project.name = MY_PROJECTS() AND @tracker.name = 'task'", {}, ['weed', 'paint']],
    ["@project.name IN ('orchard', 'vault') AND @tracker.name = 'engine'", { widget_id: 3 }, ['pump', 'valve']],
    ["@tracker.name = 'task'", { widget_id: 3, project_id: ORCHARD }, ['weed', 'paint']],
  ] as const)('%s with %o', async (sources, where, names) => {
    const answer = await ask(`SELECT @id FROM ${sources} WHERE @id > 0`, '', TOM, where)
    expect(answer.status).toBe(200)
    const expected = names.map((name) => world.ids[name])
    expect(idsIn(answer)).toEqual(expected)
    expect(column(answer, '@id')).toEqual(expected.map((value) => ({ value })))
    expect(answer.headers['x-pagination-size']).toBe(String(names.length))
  })

  test.each([
    ["@project = 'self'", {}, 'no_source'],
    ["@tracker.name = 'engine'", {}, 'no_source'],
    ["@project.name = 'nowhere'", {}, 'unknown_source'],
    ["@project.name = 'vault'", {}, 'unknown_source'],
    ["@project.name = 'orchard' AND @tracker.name = 'whisper'", {}, 'unknown_source'],
    ["@project.category = 'Gardens'", {}, 'unknown_source'],
    ["@project = 'self'", { project_id: VAULT }, 'unknown_source'],
    ["@project = 'self'", { project_id: 999_999 }, 'unknown_source'],
  ])('%s with %o has nothing to search', async (sources, where, cause) => {
    const answer = await ask(`SELECT @id FROM ${sources} WHERE @id > 0`, '', TOM, where)
    const details = { cause, path: 'query.tql_query', position: 16 }
    expect(answer).toMatchObject(refused(400, 'query_malformed', details))
  })

  test('an anonymous viewer is a member of no project', async () => {
    const answer = await api.get(pathOf({ tql_query: 'SELECT @id FROM @project = MY_PROJECTS() WHERE @id > 0' }))
    expect(answer).toMatchObject(refused(400, 'query_malformed', { cause: 'unknown_source' }))
  })

  test('a widget has no project as long as there are no widgets', async () => {
    const answer = await ask("SELECT @id FROM @project = 'self' WHERE @id > 0", '', TOM, { widget_id: 3 })
    expect(answer).toMatchObject(refused(400, 'reference_unknown', { path: 'query.widget_id' }))
  })

  test('the number of trackers and of columns is limited', async () => {
    const change = (body: object) => api.patch('/settings', { as: ADA, body })
    expect((await change({ query_trackers: 1, query_columns: 2 })).status).toBe(200)
    const columns = await select('@id, @title, @status')
    const trackers = await select('@id')
    const few = await ask("SELECT @id, @title FROM @project.name = 'orchard' AND @tracker.name = 'task' WHERE @id > 0")
    await change({ query_trackers: 50, query_columns: 30 })
    const limit = (cause: string, maximum: number) =>
      refused(400, 'parameter_out_of_range', { cause, allowed: { maximum } })
    expect(columns).toMatchObject(limit('too_many_columns', 2))
    expect(trackers).toMatchObject(limit('too_many_trackers', 1))
    expect(few.status).toBe(200)
  })
})

describe('SELECT', () => {
  test('describes the columns and shows them for each artifact', async () => {
    const { json } = await select(
      'severity, points, due, owner, @pretty_title, @title, @description, @status, @assigned_to, @project.name, @tracker.name',
    )
    expect(json.selected).toEqual([
      { name: '@artifact', type: 'artifact' },
      { name: 'severity', type: 'list_static' },
      { name: 'points', type: 'numeric' },
      { name: 'due', type: 'date' },
      { name: 'owner', type: 'list_user' },
      { name: '@pretty_title', type: 'pretty_title' },
      { name: '@title', type: 'text' },
      { name: '@description', type: 'text' },
      { name: '@status', type: 'list_static' },
      { name: '@assigned_to', type: 'list_user' },
      { name: '@project.name', type: 'project' },
      { name: '@tracker.name', type: 'tracker' },
    ])
    const tom = {
      display_name: 'Tom Tiller (tom)',
      avatar_url: expect.stringMatching(/\/users\/tom\/avatar\.png$/),
      user_url: '/users/tom',
      is_anonymous: false,
    }
    const { pump, weed } = world.ids
    const [first, second] = json.artifacts
    expect(first).toEqual({
      '@artifact': { id: weed, uri: `/artifacts/${weed}`, number_of_forward_link: 0, number_of_reverse_link: 1 },
      severity: { value: [{ label: 'Severe', color: null }] },
      points: { value: 2.5 },
      due: { value: '2026-03-04T10:30:00+00:00', with_time: true },
      owner: { value: [] },
      '@pretty_title': { tracker_name: 'task', color: 'inca-silver', artifact_id: weed, title: 'Weed all beds' },
      '@title': { value: 'Weed all beds' },
      '@description': { value: null },
      '@status': { value: null },
      '@assigned_to': { value: [] },
      '@project.name': { name: 'Orchard', icon: expect.any(String) },
      '@tracker.name': { name: 'Tasks', color: 'inca-silver' },
    })
    expect(second).toEqual({
      '@artifact': { id: pump, uri: `/artifacts/${pump}`, number_of_forward_link: 1, number_of_reverse_link: 0 },
      severity: { value: [{ label: 'High', color: 'red-wine' }] },
      points: { value: 5 },
      due: { value: expect.stringMatching(/^2026-03-05T00:00:00/), with_time: false },
      owner: { value: [tom] },
      '@pretty_title': { tracker_name: 'engine', color: 'fiesta-red', artifact_id: pump, title: 'Pump leaks' },
      '@title': { value: 'Pump leaks' },
      '@description': { value: 'at 4 bar' },
      '@status': { value: [{ label: 'Open', color: null }] },
      '@assigned_to': { value: [tom] },
      '@project.name': { name: 'Orchard', icon: expect.any(String) },
      '@tracker.name': { name: 'Engines', color: 'fiesta-red' },
    })
  })

  test('shows people, dates, numbers, groups and open lists, and no other types', async () => {
    const engines = "FROM @project.name = 'orchard' AND @tracker.name = 'engine' WHERE @id > 0"
    const { json } = await ask(
      `SELECT @submitted_by, @last_update_by, @submitted_on, @last_update_date, team, tags, number, links, remaining, @link_type, @id, @id ${engines}`,
    )
    expect(json.selected.map(({ type }: { type: string }) => type)).toEqual([
      'artifact',
      'user',
      'user',
      'date',
      'date',
      'list_user_group',
      'list_static',
      'numeric',
      'unknown',
      'unknown',
      'link_type',
      'numeric',
    ])
    const [pump] = json.artifacts
    const mara = { display_name: 'Mara Keller (mara)', user_url: '/users/mara', is_anonymous: false }
    expect(pump).toMatchObject({
      '@submitted_by': mara,
      '@last_update_by': mara,
      '@submitted_on': { value: expect.stringMatching(/^\d{4}-/), with_time: true },
      '@last_update_date': { with_time: true },
      team: { value: [{ label: expect.any(String) }] },
      tags: {
        value: [
          { label: 'loud', color: null },
          { label: 'wet', color: null },
        ],
      },
      number: { value: 2 },
      links: { value: null },
      remaining: { value: null },
      '@link_type': { value: null },
      '@id': { value: world.ids.pump },
    })
  })

  test.each([
    ['nothing', 'query_unknown_key', { cause: 'field', position: 7, params: { name: 'nothing' } }],
    ['motto', 'query_unknown_key', { cause: 'field', params: { name: 'motto' } }],
    ['@nothing', 'query_unknown_key', { cause: 'metadata', position: 7 }],
    ['@comments', 'query_unknown_key', { cause: 'metadata' }],
    ['made', 'query_operator', { cause: 'field_type', params: { did_you_mean: '@submitted_on' } }],
    ['team', 'query_operator', { cause: 'field_type' }],
  ])('cannot name %s', async (name, reason, details) => {
    expect(await select(name)).toMatchObject(refused(400, reason, details))
  })

  test('reports all errors of a query', async () => {
    const { json } = await select('nothing, severity', 'WHERE severity = "Hgh" ORDER BY nobody')
    expect(json.error.details.all.map(({ reason }: { reason: string }) => reason)).toEqual([
      'query_unknown_key',
      'reference_unknown',
      'query_unknown_key',
    ])
  })
})

describe('WHERE', () => {
  test.each([
    ['severity = "High"', ['pump', 'paint']],
    ['severity IN ("Severe", "Low")', ['weed', 'valve']],
    ['severity != "High"', ['weed', 'valve']],
    ['points > 2.5', ['pump', 'paint']],
    ['points = ""', ['valve']],
    ['@status = OPEN()', ['pump']],
    ['@status != OPEN()', ['valve']],
    ['@title = "pump"', ['pump', 'paint']],
    ['summary = "pump"', ['pump']],
    ['tags = "wet"', ['pump']],
    ['@assigned_to = MYSELF()', ['pump']],
    ['owner = "" OR @assigned_to = "uma"', ['weed', 'valve', 'paint']],
    ['due BETWEEN("2026-03-04", "2026-03-05")', ['weed', 'pump']],
    ['IS LINKED FROM', ['weed']],
    ['NOT (severity = "High") AND IS NOT LINKED FROM', ['valve']],
    ['@id = 0', []],
  ] as const)('%s', async (where, names) => {
    const answer = await select('@id', `WHERE ${where}`)
    expect(answer.status, answer.text).toBe(200)
    expect(idsIn(answer)).toEqual(names.map((name) => world.ids[name]))
    expect(answer.headers['x-pagination-size']).toBe(String(names.length))
  })

  test.each([
    ['made = "2026-03-01"', 'query_operator', 'field_type'],
    ['team = "x"', 'query_operator', 'field_type'],
    ['severity = "Hgh"', 'reference_unknown', 'list_value'],
    ['@project.name = "orchard"', 'query_unknown_key', 'metadata'],
    ['@pretty_title = "x"', 'query_unknown_key', 'metadata'],
    ['severity ~ "x"', 'query_malformed', 'syntax'],
  ])('%s is refused', async (where, reason, cause) => {
    expect(await select('@id', `WHERE ${where}`)).toMatchObject(
      refused(400, reason, { cause, path: 'query.tql_query', position: expect.any(Number) }),
    )
  })
})

describe('ORDER BY', () => {
  test.each([
    ['', ['weed', 'pump', 'valve', 'paint']],
    ['ORDER BY @id DESC', ['paint', 'valve', 'pump', 'weed']],
    ['ORDER BY points', ['weed', 'paint', 'pump', 'valve']],
    ['ORDER BY points DESC', ['pump', 'paint', 'weed', 'valve']],
    ['ORDER BY due', ['weed', 'pump', 'valve', 'paint']],
    ['ORDER BY due DESC', ['pump', 'weed', 'valve', 'paint']],
    ['ORDER BY @title', ['paint', 'pump', 'valve', 'weed']],
    ['ORDER BY severity, @id DESC', ['valve', 'weed', 'paint', 'pump']],
    ['ORDER BY @assigned_to DESCENDING', ['paint', 'pump', 'weed', 'valve']],
    ['ORDER BY @status, points DESC', ['pump', 'valve', 'paint', 'weed']],
    ['ORDER BY @submitted_on DESC, @id DESC', ['paint', 'valve', 'pump', 'weed']],
  ] as const)('%s', async (order, names) => {
    const expected = names.map((name) => world.ids[name])
    expect(idsIn(await select('@id', `WHERE @id > 0 ${order}`))).toEqual(expected)
    const walked: number[] = []
    let pages = 0
    const query = { tql_query: `SELECT severity FROM ${BOTH} WHERE @id > 0 ${order}` }
    for (let next: string | undefined = pathOf(query, '&limit=1'); next !== undefined; pages++) {
      const page: Response = await api.get(next, { as: TOM })
      expect(page.headers).toMatchObject({ 'x-pagination-size': '4', 'x-pagination-limit-max': '50' })
      walked.push(...idsIn(page))
      next = nextOf(page)
    }
    expect([walked, pages]).toEqual([expected, 4])
    const offset = await ask(`SELECT @id FROM ${BOTH} WHERE @id > 0 ${order}`, '&limit=2&offset=1')
    expect(idsIn(offset)).toEqual(expected.slice(1, 3))
  })

  test.each([
    ['tags', 'query_operator', 'field_type'],
    ['nothing', 'query_unknown_key', 'field'],
    ['@pretty_title', 'query_unknown_key', 'metadata'],
    ['@comments', 'query_unknown_key', 'metadata'],
  ])('%s is refused', async (key, reason, cause) => {
    expect(await select('@id', `WHERE @id > 0 ORDER BY ${key}`)).toMatchObject(refused(400, reason, { cause }))
  })

  test('a cursor is valid in its own list only', async () => {
    const first = await ask(`SELECT @id FROM ${BOTH} WHERE @id > 0 ORDER BY points`, '&limit=1')
    const cursor = new URL(nextOf(first) ?? '', api.origin).searchParams.get('cursor')
    const other = await ask(`SELECT @id FROM ${BOTH} WHERE @id > 0`, `&limit=1&cursor=${cursor}`)
    expect(other).toMatchObject(refused(400, 'parameter_conflict', { cause: 'cursor_of_another_query' }))
  })
})

describe('a query', () => {
  test.each([
    ['?limit=1', 'parameter_required', 'query'],
    ['?query={', 'query_malformed', 'query'],
    ['?query=[]', 'query_malformed', 'query'],
    ['?query={"text":"x"}', 'query_unknown_key', 'query'],
    ['?query={"project_id":2001}', 'parameter_required', 'query.tql_query'],
    ['?query={"tql_query":5}', 'parameter_invalid', 'query.tql_query'],
    ['?query={"tql_query":"","project_id":"x"}', 'parameter_invalid', 'query.project_id'],
  ])('%s is refused', async (query, reason, path) => {
    const answer = await api.get(`/crosstracker_query/content${query}`, { as: TOM })
    expect(answer).toMatchObject(refused(400, reason, { path }))
  })

  test.each([
    ['', 0],
    ['@status = OPEN()', 0],
    ['EXPLAIN severity = "x"', 8],
  ])('%s selects nothing', async (text, position) => {
    const details = { cause: 'syntax', allowed: ['SELECT'], position }
    expect(await ask(text)).toMatchObject(refused(400, 'query_malformed', details))
  })

  test.each(['limit=0', 'limit=51'])('%s is out of range', async (limit) => {
    const answer = await ask(`SELECT @id FROM ${BOTH} WHERE @id > 0`, `&${limit}`)
    expect(answer).toMatchObject(refused(400, 'parameter_out_of_range', { path: 'limit' }))
  })

  test('may be about the past, and shows current values', async () => {
    const { valve } = world.ids
    const before = new Date(clock.now()).toISOString()
    clock.advance(60_000)
    const body = { values_by_field: { severity: 'High' } }
    expect((await api.put(`/artifacts/${valve}`, { as: MARA, body })).status).toBe(200)
    const then = await select('severity', `WHERE severity = "Low" AS OF "${before}"`)
    const now = await select('severity', 'WHERE severity = "Low"')
    await api.put(`/artifacts/${valve}`, { as: MARA, body: { values_by_field: { severity: 'Low' } } })
    expect([idsIn(then), idsIn(now)]).toEqual([[valve], []])
    expect(column(then, 'severity')).toEqual([{ value: [{ label: 'High', color: 'red-wine' }] }])
  })

  test('can be explained instead of run', async () => {
    const text = `SELECT @title FROM ${BOTH} WHERE severity = "High"`
    const { json } = await ask(`EXPLAIN ${text}`)
    expect((await ask(text, '&explain=true')).json.explain.fields).toEqual(json.explain.fields)
    expect(json.explain).toMatchObject({
      normalized: `EXPLAIN SELECT @title FROM @project.name = "orchard" AND @tracker.name IN ("engine", "task") WHERE severity = "High"`,
      terms: 1,
      estimated_matches: expect.any(Number),
    })
    expect(json.explain.fields).toEqual(
      expect.arrayContaining([
        { name: 'severity', field_id: world.engines.field('severity'), type: 'rb' },
        { name: 'severity', field_id: world.tasks.field('severity'), type: 'sb' },
      ]),
    )
  })
})

describe('another format', () => {
  test('is XML, with column names that are not valid element names', async () => {
    const query = { tql_query: `SELECT severity FROM ${BOTH} WHERE severity = "Severe"` }
    const { status, text } = await api.get(pathOf(query), { as: TOM, headers: { accept: 'application/xml' } })
    expect(status).toBe(200)
    expect(text).toContain('<selected><item><name>@artifact</name><type>artifact</type></item>')
    expect(text).toContain(`<entry key="@artifact"><id>${world.ids.weed}</id>`)
    expect(text).toContain('<severity><value><item><label>Severe</label>')
  })

  test('is NDJSON, with all elements', async () => {
    const tql_query = `SELECT severity, @pretty_title FROM ${BOTH} WHERE @id > 0 ORDER BY points`
    const { json } = await ask(tql_query)
    const { text, headers } = await api.get(pathOf({ tql_query }), {
      as: TOM,
      headers: { accept: 'application/x-ndjson' },
    })
    const lines = text.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(json.artifacts)
    expect(headers['x-pagination-size']).toBe('4')
    const paged = await api.get(pathOf({ tql_query }, '&limit=1'), { as: TOM, headers: { accept: 'text/csv' } })
    expect(paged).toMatchObject(refused(400, 'parameter_conflict'))
  })

  test('is a table of plain text', async () => {
    const columns =
      'severity, points, due, owner, tags, @pretty_title, @submitted_by, @tracker.name, @project.name, @link_type, remaining, @id, @submitted_on'
    const tql_query = `SELECT ${columns} FROM ${BOTH} WHERE @title = "Pump leaks" OR severity = "Severe"`
    const path = pathOf({ tql_query }, '&raw=true').replace('/content?', '/content.csv?')
    const { text } = await api.get(path, { as: TOM })
    const { pump, weed } = world.ids
    const [head, ...rows] = text.trimEnd().split('\r\n')
    expect(head).toBe(`id,${columns.replaceAll(' ', '')}`)
    expect(rows).toEqual([
      expect.stringContaining(
        `${weed},Severe,2.5,2026-03-04T10:30:00+00:00,,,task #${weed} Weed all beds,mara,Tasks,Orchard,,,${weed},`,
      ),
      expect.stringContaining(
        `${pump},High,5,2026-03-05,tom,loud|wet,engine #${pump} Pump leaks,mara,Engines,Orchard,,,${pump},`,
      ),
    ])
  })
})
