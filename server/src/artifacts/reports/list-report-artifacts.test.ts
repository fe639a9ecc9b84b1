import { beforeAll, describe, expect, test } from 'vitest'
import type { Response } from '../../../test/harness/client.ts'
import {
  EVERY_FIELD,
  HIDDEN_TRACKER,
  makeTestArtifact,
  type MadeTracker,
  makeTestTracker,
} from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'
import { masked, refused } from '../../../test/harness/refused.ts'

const { api } = await startWorld({ seedOnce: true })
let tracker: MadeTracker
const ids: Record<string, number> = {}

beforeAll(async () => {
  tracker = await makeTestTracker(api, EVERY_FIELD)
  const made = {
    pump: { summary: 'Pump leaks', points: 5, status: 'Open', fruits: { value: ['Apple', 'Plum'] }, budget: 'dear' },
    hose: { summary: 'Hose leaks', points: 2, status: 'Working', assigned_to: { value: ['tom'] }, budget: 'cheap' },
    gate: { summary: 'Gate stuck', points: 9, status: 'Closed' },
    well: { summary: 'Well is dry', status: 'Open', seen_by: { value: { granted_groups: ['3001'] } } },
  }
  for (const [name, values] of Object.entries(made)) ids[name] = await makeTestArtifact(api, tracker, values)
})

async function save(body: object, as: TestPerson = MARA): Promise<number> {
  const answer = await api.post(`/trackers/${tracker.id}/tracker_reports`, { as, body: { label: 'Saved', ...body } })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.json.id
}
const open = (body: object) => save({ public: true, ...body })
const list = (id: number, query = '', as: TestPerson | 'anonymous' = TOM) =>
  api.get(`/tracker_reports/${id}/artifacts${query}`, as === 'anonymous' ? {} : { as })
const namesIn = ({ json }: Response): string[] =>
  json.map(({ id }: { id: number }) => Object.entries(ids).find(([, each]) => each === id)?.[0])
const table = (columns: string[], sort: object[] = [], label = 'Table') => ({ type: 'table', label, columns, sort })
const by = (field: string, direction = 'asc') => ({ field, direction })

describe('GET /tracker_reports/{id}/artifacts', () => {
  test('lists the artifacts that match the criteria, with list values by key', async () => {
    const id = await open({ criteria: [{ field: 'status', value: ['open', 'working'] }, { field: 'severity' }] })
    const answer = await list(id)

    expect(answer.status).toBe(200)
    expect(namesIn(answer)).toEqual(['pump', 'hose'])
    expect(answer.json[0]).toMatchObject({ uri: `artifacts/${ids['pump']}`, title: 'Pump leaks', values: null })
    expect(answer.headers).toMatchObject({
      'x-pagination-limit': '10',
      'x-pagination-size': '2',
      'x-pagination-limit-max': '50',
    })
  })

  test.each([
    [[{ field: 'status', value: 'closed' }], ['gate']],
    [[{ field: 'status', value: 'Closed' }], ['gate']],
    [[{ field: 'points', value: '2-5' }], ['pump', 'hose']],
    [
      [
        { field: 'points', operator: 'contains', value: '>4' },
        { field: 'status', value: 'open' },
      ],
      ['pump'],
    ],
    [[{ field: 'assigned_to', value: ['tom'] }], ['hose']],
    [[{ field: 'status', value: '@none' }], ['pump', 'hose', 'gate']],
    [[], ['pump', 'hose', 'gate']],
  ])('accepts %j', async (criteria, expected) => {
    expect(namesIn(await list(await open({ criteria })))).toEqual(expected)
  })

  test('reports criteria without effect', async () => {
    const id = await open({
      criteria: [
        { field: 'due', value: 'soon' },
        { field: 'points', value: 5 },
      ],
    })
    expect((await list(id)).headers['x-criteria-ignored']).toBe('due')
    const exported = await api.get(`/tracker_reports/${id}/artifacts`, { as: TOM, headers: { accept: 'text/csv' } })
    expect(exported.headers['x-criteria-ignored']).toBe('due')
  })

  test('lists the artifacts that match a query, in its own order', async () => {
    const query = { expert_query: 'summary = "leaks" ORDER BY points' }
    expect(namesIn(await list(await open({ ...query, renderers: [table([], [by('points', 'desc')])] })))).toEqual([
      'hose',
      'pump',
    ])
  })

  test('runs with the permissions of the reader, not of its author', async () => {
    const id = await open({ expert_query: 'assigned_to = MYSELF()' })
    expect(namesIn(await list(id, '', TOM))).toEqual(['hose'])
    expect(namesIn(await list(id, '', UMA))).toEqual([])
    expect((await list(id, '', 'anonymous')).status).toBe(400)
  })

  test('shows each reader only visible artifacts, and counts no others', async () => {
    const id = await open({})
    const answers = [await list(id, '', TOM), await list(id, '', UMA), await list(id, '', 'anonymous')]
    expect(answers.map(namesIn)).toEqual([
      ['pump', 'hose', 'gate'],
      ['pump', 'hose', 'gate', 'well'],
      ['pump', 'hose', 'gate'],
    ])
    expect(answers.map(({ headers }) => headers['x-pagination-size'])).toEqual(['3', '4', '3'])
  })

  test('uses the order of the table', async () => {
    const renderers = [table([], [by('points', 'desc')]), table([], [by('summary')], 'Other')]
    const id = await open({ renderers })
    const { json } = await api.get(`/tracker_reports/${id}?representation=full`, { as: TOM })
    const [first, second] = json.renderers

    expect(namesIn(await list(id, '', UMA))).toEqual(['gate', 'pump', 'hose', 'well'])
    expect(namesIn(await list(id, `?table_renderer_id=${first.id}`, UMA))).toEqual(['gate', 'pump', 'hose', 'well'])
    expect(namesIn(await list(id, `?table_renderer_id=${second.id}`))).toEqual(['gate', 'hose', 'pump'])
  })

  test('can be paged through until the report changes', async () => {
    const id = await open({ renderers: [table([], [by('points', 'desc')])] })
    const first = await list(id, '?limit=2')
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
    const second = await api.get(next, { as: TOM })
    expect([...namesIn(first), ...namesIn(second)]).toEqual(['gate', 'pump', 'hose'])
    expect(namesIn(await list(id, '?limit=1&offset=1'))).toEqual(['pump'])
    expect((await list(id, '?limit=0')).json).toEqual([])

    const body = { label: 'Saved', renderers: [table([], [by('summary')])] }
    await api.put(`/tracker_reports/${id}`, { as: MARA, body })
    expect(await api.get(next, { as: TOM })).toMatchObject(
      refused(400, 'parameter_conflict', { cause: 'cursor_of_another_query' }),
    )
  })

  test('refuses a page size that is too large', async () => {
    expect(await list(await open({}), '?limit=51')).toMatchObject(refused(400, 'parameter_out_of_range'))
  })
})

describe('values', () => {
  test('include all fields, or the columns in their order', async () => {
    const id = await open({
      criteria: [{ field: 'points', value: 5 }],
      renderers: [table(['points', 'budget', 'summary'])],
    })
    const labels = ({ json }: Response) => json[0].values.map(({ label }: { label: string }) => label)

    expect(labels(await list(id, '?values=all'))).toEqual(expect.arrayContaining(['summary', 'status', 'fruits']))
    expect(labels(await list(id, '?values=from_table_renderer'))).toEqual(['points', 'summary'])
    expect(labels(await list(id, '?values=from_table_renderer', MARA))).toEqual(['points', 'budget', 'summary'])
    expect((await list(id, '?values=')).json[0].values).toBeNull()
    expect((await list(id, '?fields=id,values.points')).json).toEqual([
      { id: ids['pump'], uri: `artifacts/${ids['pump']}`, values: [expect.objectContaining({ value: 5 })] },
    ])
  })

  test('can be flat', async () => {
    const id = await open({
      criteria: [{ field: 'points', value: 5 }],
      renderers: [table(['fruits', 'budget', 'points'])],
    })
    const flat = await list(id, '?values=from_table_renderer&output_format=flat')
    const joined = await list(id, '?values=all&output_format=flat_with_semicolon_string_array')

    expect(flat.json).toEqual([{ fruits: ['Apple', 'Plum'], points: 5 }])
    expect(Object.keys(flat.json[0])).toEqual(['fruits', 'points'])
    expect(joined.json).toMatchObject([{ summary: 'Pump leaks', fruits: 'Apple;Plum' }])
    expect(joined.json[0]).not.toHaveProperty('budget')
    expect((await list(id, '?values=all&output_format=nested')).json[0].values).not.toBeNull()
  })

  test.each([
    ['another kind of values', '?values=none', 'parameter_not_allowed', {}],
    ['another format', '?values=all&output_format=round', 'parameter_not_allowed', {}],
    ['a flat form of nothing', '?output_format=flat', 'parameter_conflict', { cause: 'flat_needs_values' }],
    ['members of a flat form', '?values=all&output_format=flat&fields=id', 'parameter_conflict', { path: 'fields' }],
    ['a table that is not there', '?table_renderer_id=1', 'reference_unknown', { path: 'table_renderer_id' }],
    ['columns of no table', '?values=from_table_renderer', 'parameter_conflict', { cause: 'no_table' }],
  ])('are refused for %s', async (_, query, reason, details) => {
    const id = await open({ renderers: [{ type: 'pie', label: 'Pie' }] })
    expect(await list(id, query)).toMatchObject(refused(400, reason, details))
  })

  test('of a table require its name if there are several', async () => {
    const id = await open({ renderers: [table(['summary']), table(['points'], [], 'Other')] })
    const answer = await list(id, '?values=from_table_renderer')
    expect(answer).toMatchObject(
      refused(400, 'parameter_required', {
        path: 'table_renderer_id',
        allowed: [{ label: 'Table' }, { label: 'Other' }],
      }),
    )
    const [, other] = answer.json.error.details.allowed
    const { json } = await list(id, `?values=from_table_renderer&table_renderer_id=${other.id}`)
    expect(json[0].values).toMatchObject([{ label: 'points' }])
  })

  test('are the saved ones, whatever the request says about unsaved changes', async () => {
    expect((await list(await open({}), '?with_unsaved_changes=true')).json).toHaveLength(3)
  })

  test('can be XML', async () => {
    const id = await open({ criteria: [{ field: 'points', value: 5 }] })
    const { text } = await api.get(`/tracker_reports/${id}/artifacts.xml?values=all`, { as: TOM })
    expect(text).toContain(`<item><id>${ids['pump']}</id>`)
    const flat = await api.get(`/tracker_reports/${id}/artifacts.xml?values=all&output_format=flat`, { as: TOM })
    expect(flat.text).toContain('<fruits><item>Apple</item><item>Plum</item></fruits>')
  })
})

describe('an unreadable field', () => {
  test.each([
    ['criteria', { criteria: [{ field: 'budget', value: 'dear' }] }],
    ['a query', { expert_query: 'summary = "leaks" OR budget = "dear"' }],
    ['the order of a query', { expert_query: 'summary = "leaks" ORDER BY budget' }],
  ])('is unknown in %s, and not named', async (_, body) => {
    const id = await open(body)
    const answer = await list(id)
    expect(answer).toMatchObject(refused(400, 'query_unknown_key', { cause: 'report_field' }))
    expect(answer.text).not.toContain('budget')
    expect((await list(id, '', MARA)).status).toBe(200)
    for (const suffix of ['.csv', '.ndjson', '.xml']) {
      const { status, text } = await api.get(`/tracker_reports/${id}/artifacts${suffix}`, { as: OLGA })
      expect(status).toBe(400)
      expect(text).not.toContain('budget')
    }
  })

  test('looks like a deleted field', async () => {
    const body = { label: 'Odd', item_name: 'odd', elements: [{ name: 'weight', type: 'int', label: 'Weight' }] }
    const odd = await makeTestTracker(api, { ...body, permissions: { full: ['@anonymous'] } })
    const made = await api.post(`/trackers/${odd.id}/tracker_reports`, {
      as: TOM,
      body: { label: 'Mine', criteria: [{ field: 'weight', value: 1 }] },
    })
    await api.patch(`/tracker_fields/${odd.field('weight')}`, { as: MARA, body: { use_it: false } })
    expect(await list(made.json.id)).toMatchObject(refused(400, 'query_unknown_key', { cause: 'report_field' }))
  })

  test('does not affect the order', async () => {
    const id = await open({ renderers: [table(['summary'], [by('budget'), by('points', 'desc')])] })
    expect(namesIn(await list(id, '', MARA))).toEqual(['hose', 'pump', 'gate', 'well'])
    expect(namesIn(await list(id))).toEqual(['gate', 'pump', 'hose'])
    const cheapFirst = await open({ renderers: [table(['summary'], [by('budget')])] })
    expect(namesIn(await list(cheapFirst))).toEqual(['pump', 'hose', 'gate'])
  })

  test('is not revealed by other errors', async () => {
    const id = await open({ expert_query: 'status = "Open" AND team = "leads"' })
    const stranger = await open({ expert_query: 'submitted_by = "nobody_at_all" OR status = "Never"' })
    expect((await list(id)).status).toBe(200)
    const answer = await list(stranger)
    expect(answer.status).toBe(400)
    expect(answer.text).not.toContain('nobody_at_all')
    expect((await list(stranger, '', MARA)).text).toContain('nobody_at_all')
  })
})

describe('a private report', () => {
  test('is for its owner only', async () => {
    const id = await save({ expert_query: 'points > 3' }, TOM)
    expect(namesIn(await list(id))).toEqual(['pump', 'gate'])
    for (const as of [MARA, GUS, ADA]) {
      const answer = await list(id, '', as)
      expect(answer).toMatchObject(refused(404, 'not_found'))
      expect(masked(answer)).toBe(masked(await list(999_999, '', as)))
    }
    expect(await list(id, '', 'anonymous')).toMatchObject(refused(401, 'authentication_required'))
  })

  test('is hidden with its tracker', async () => {
    const hidden = await makeTestTracker(api, { ...HIDDEN_TRACKER, permissions: { full: ['@members'] } })
    const { json } = await api.post(`/trackers/${hidden.id}/tracker_reports`, { as: TOM, body: { label: 'Mine' } })
    expect((await list(json.id)).status).toBe(200)
    const { json: document } = await api.get(`/trackers/${hidden.id}/definition`, { as: MARA })
    await api.put(`/trackers/${hidden.id}/definition`, {
      as: MARA,
      body: { ...document, permissions: { full: ['leads'] } },
    })
    expect(await list(json.id)).toMatchObject(refused(404, 'not_found'))
    expect(await api.get(`/tracker_reports/${json.id}`, { as: TOM })).toMatchObject(refused(404, 'not_found'))
  })
})

describe('an export', () => {
  const rows = (text: string) => text.trimEnd().split('\r\n')

  test('is the whole list, in the order of the table', async () => {
    const id = await open({ renderers: [table(['summary', 'budget', 'points'], [by('points', 'desc')])] })
    const { json } = await list(id, '?values=all')
    const { text, headers } = await list(id, '.ndjson?values=all')
    const lines = text.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(json)
    expect(headers['x-pagination-size']).toBe('3')

    const flat = await list(id, '.ndjson?values=from_table_renderer&output_format=flat')
    expect(JSON.parse(flat.text.split('\n')[0] ?? '')).toEqual({ summary: 'Gate stuck', points: 9 })
  })

  test('as CSV has the columns of the table, the requested ones, or all', async () => {
    const id = await open({ renderers: [table(['points', 'budget', 'summary'], [by('points', 'desc')])] })
    expect(rows((await list(id, '.csv?values=from_table_renderer')).text)).toEqual([
      'id,points,summary',
      `${ids['gate']},9,Gate stuck`,
      `${ids['pump']},5,Pump leaks`,
      `${ids['hose']},2,Hose leaks`,
    ])
    expect(rows((await list(id, '.csv?fields=title,values.status')).text)[1]).toBe('Gate stuck,Closed')
    expect(rows((await list(id, '.csv')).text)[0]).toMatch(/^id,xref,title,status,.*,points,/)
  })

  test('is not paged', async () => {
    expect(await list(await open({}), '.csv?limit=1')).toMatchObject(refused(400, 'parameter_conflict'))
  })
})
