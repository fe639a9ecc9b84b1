import { beforeAll, describe, expect, test } from 'vitest'
import { OLGA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { isRecord } from '../../platform/wire/schema-shape.ts'
import german from './german-labels.json' with { type: 'json' }
import { TEMPLATE_NAMES, TRACKER_TEMPLATES } from './tracker-templates.ts'

const { api } = await startWorld({ seedOnce: true })
const TEXT_MEMBERS = ['label', 'description', 'title', 'body', 'submit_instructions', 'browse_instructions']

interface Step {
  /** The label of the next status. */
  readonly to: string
  readonly values?: object
  readonly comment?: string
}

/** The way of an artifact from new to done, and the steps that the workflow forbids at its begin. */
const WALKS: Readonly<
  Record<string, { first: object; steps: readonly Step[]; forbidden: readonly string[]; closedOn: string }>
> = {
  bugs: {
    first: { title: 'The pump runs dry', severity: 'Critical' },
    steps: [
      { to: 'Confirmed' },
      { to: 'In progress', values: { assigned_to: 'tom' } },
      { to: 'Fixed' },
      { to: 'Verified' },
    ],
    forbidden: ['Verified'],
    closedOn: 'closed_on',
  },
  tasks: {
    first: { title: 'Order filters', due_date: '2026-11-30' },
    steps: [{ to: 'In progress' }, { to: 'Done' }],
    forbidden: [],
    closedOn: 'done_on',
  },
  scrum: {
    first: { title: 'Start the pump from the phone' },
    steps: [
      { to: 'Ready', values: { points: 5, sprint: 'Sprint 1' } },
      { to: 'In progress' },
      { to: 'In review' },
      { to: 'Done' },
    ],
    forbidden: ['Ready'],
    closedOn: 'done_on',
  },
  requirements: {
    first: { title: 'Stop within two seconds', description: 'The pump shall stop within two seconds.' },
    steps: [
      { to: 'In review' },
      { to: 'Approved', values: { verification: 'Test' } },
      { to: 'Implemented' },
      { to: 'Verified', values: { evidence: 'Report 12' } },
    ],
    forbidden: ['Approved'],
    closedOn: 'verified_on',
  },
  risks: {
    first: { title: 'Only one supplier of seals' },
    steps: [
      { to: 'Assessed', values: { probability: 'High', impact: 'Very high' } },
      { to: 'In treatment', values: { response: 'Reduce', assigned_to: 'tom' } },
      { to: 'Watched' },
      { to: 'Closed', comment: 'There is a second supplier.' },
    ],
    forbidden: ['Assessed'],
    closedOn: 'closed_on',
  },
  support: {
    first: { title: 'How do I change the filter?', category: 'Question', topic: 'How to use it' },
    steps: [
      { to: 'In progress', values: { assigned_to: 'tom' } },
      { to: 'Waiting for customer' },
      { to: 'Solved', values: { solution: 'Page 12.' } },
    ],
    forbidden: ['Solved'],
    closedOn: 'solved_on',
  },
}

let project: number
let trackers: ReadonlyMap<string, { readonly id: number; readonly label: string }>

beforeAll(async () => {
  const body = { shortname: 'pumps', label: 'Pumps', is_public: true, template_id: 100 }
  const made = await api.post('/projects', { as: TOM, body })
  if (made.status !== 201) throw new Error(made.text)
  project = made.json.id
  const created: [string, { id: number; label: string }][] = []
  for (const name of TEMPLATE_NAMES) {
    const { status, text, json } = await api.post(`/projects/${project}/trackers`, {
      as: TOM,
      body: { template: name },
    })
    if (status !== 201) throw new Error(text)
    created.push([name, json])
  }
  trackers = new Map(created)
})

const idOf = (name: string) => trackers.get(name)?.id ?? 0
const valuesOf = async (id: number) =>
  (await api.get(`/artifacts/${id}?values_format=by_field&by_field_types=all`, { as: TOM })).json
const create = (name: string, values_by_field: object, as = TOM) =>
  api.post('/artifacts', { as, body: { tracker: { id: idOf(name) }, values_by_field } })

describe('GET /tracker_templates', () => {
  test('lists every template with its definition, for everyone', async () => {
    const { status, json } = await api.get('/tracker_templates')

    expect(status).toBe(200)
    expect(json.map(({ name }: { name: string }) => name)).toEqual(TEMPLATE_NAMES)
    expect(json).toEqual(JSON.parse(JSON.stringify(TRACKER_TEMPLATES)))
  })

  test('has German labels for readers of German, and the same names', async () => {
    const { json } = await api.get('/tracker_templates', { headers: { 'accept-language': 'de' } })

    const [bugs] = json
    expect(bugs.definition).toMatchObject({ label: 'Fehler', item_name: 'bug' })
    const [main, handling] = bugs.definition.elements
    expect(main.content[0]).toMatchObject({ name: 'title', label: 'Titel' })
    expect(handling.content[0].bind.values[2]).toMatchObject({ key: 'in_progress', label: 'In Arbeit' })
    expect(bugs.definition.semantics).toEqual(JSON.parse(JSON.stringify(TRACKER_TEMPLATES[0]?.definition)).semantics)
  })

  test('has a German form of each text, and no other', () => {
    const texts = new Set(TRACKER_TEMPLATES.flatMap(({ definition }) => textsIn(definition)))
    expect([...texts].toSorted()).toEqual(Object.keys(german).toSorted())
  })

  test('has pages', async () => {
    const { json, headers } = await api.get('/tracker_templates?limit=2')
    expect([json.length, headers['x-pagination-size']]).toEqual([2, String(TEMPLATE_NAMES.length)])
    const [, next = ''] = /<[^>]*\/api(\/[^>]*)>; rel="next"/.exec(String(headers['link'])) ?? []
    expect((await api.get(next)).json[0].name).toBe(TEMPLATE_NAMES[2])
  })
})

test.each(TRACKER_TEMPLATES)('$name is created as its document says', async ({ name, definition }) => {
  const { json } = await api.get(`/trackers/${idOf(name)}/definition`, { as: TOM })

  expect(json).toMatchObject(JSON.parse(JSON.stringify({ ...definition, elements: undefined })))
  expect(json.elements).toHaveLength(
    'elements' in definition && Array.isArray(definition.elements) ? definition.elements.length : 0,
  )
})

describe.each(Object.entries(WALKS))('%s', (name, { first, steps, forbidden, closedOn }) => {
  test('walks from new to done by its workflow', async () => {
    const made = await create(name, first)
    expect(made.status, made.text).toBe(201)
    const { id } = made.json
    const move = ({ to, values, comment }: Step) =>
      api.put(`/artifacts/${id}`, {
        as: TOM,
        body: {
          values_by_field: { status: to, ...values },
          ...(comment !== undefined && { comment: { body: comment } }),
        },
      })
    for (const to of forbidden) expect((await move({ to })).status).toBe(400)
    for (const step of steps) {
      expect((await valuesOf(id)).is_open).toBe(true)
      const { status, text } = await move(step)
      expect(status, text).toBe(200)
    }
    const closed = await valuesOf(id)
    expect(closed.is_open).toBe(false)
    expect(closed.status).toBe(steps.at(-1)?.to)
    expect(closed.values_by_field[closedOn].value).toMatch(/^\d{4}-\d\d-\d\d/)
  })

  test('has reports that open, and one of them is the default', async () => {
    const made = await create(name, first)
    const { json: reports } = await api.get(`/trackers/${idOf(name)}/tracker_reports`, { as: TOM })
    expect(reports.length).toBeGreaterThan(3)
    const sizes = new Map<string, number>()
    for (const { id, label } of reports) {
      const { status, json, text } = await api.get(`/tracker_reports/${id}/artifacts`, { as: TOM })
      expect(status, `${label}: ${text}`).toBe(200)
      sizes.set(label, json.filter((each: { id: number }) => each.id === made.json.id).length)
    }
    const initial = reports.filter((each: { is_default: boolean }) => each.is_default)
    expect(initial.map(({ label }: { label: string }) => sizes.get(label))).toEqual([1])
    // A new artifact is not in the reports about other states.
    expect([...sizes.values()]).toContain(0)
  })
})

describe('permissions', () => {
  test('people who are no members report bugs, and cannot plan or change them', async () => {
    const made = await create('bugs', { title: 'Leaks' }, OLGA)
    expect(made.status, made.text).toBe(201)
    expect((await create('bugs', { title: 'Leaks', priority: 'Urgent' }, OLGA)).status).toBe(400)
    const change = { values_by_field: { title: 'Other' } }
    expect((await api.put(`/artifacts/${made.json.id}`, { as: OLGA, body: change })).status).toBe(400)
  })

  test('people who are no members see their own tickets only, without internal fields', async () => {
    const own = await create('support', { title: 'Mine' }, OLGA)
    const other = await create('support', { title: 'Other', spent: '1h' }, UMA)
    expect(other.status).toBe(400)
    const team = await create('support', { title: 'Team', spent: '1h' })
    expect(team.status, team.text).toBe(201)
    expect((await api.get(`/artifacts/${own.json.id}`, { as: OLGA })).status).toBe(200)
    expect((await api.get(`/artifacts/${team.json.id}`, { as: OLGA })).status).toBe(404)
  })

  test('only members see risks', async () => {
    expect((await api.get(`/trackers/${idOf('risks')}`, { as: OLGA })).status).toBe(404)
    expect((await api.get(`/trackers/${idOf('bugs')}`, { as: OLGA })).status).toBe(200)
  })
})

describe('POST /projects/{id}/trackers with template', () => {
  const post = (body: object, path = 'trackers') => api.post(`/projects/${project}/${path}`, { as: TOM, body })

  test('takes another name, so that a project can have two of a kind', async () => {
    expect((await post({ template: 'bugs' })).json.error).toMatchObject({
      reason: 'name_taken',
      details: { path: '/item_name' },
    })
    const { status, json } = await post({ template: 'bugs', label: 'Leaks', item_name: 'leak' })
    expect(status).toBe(201)
    expect(json).toMatchObject({ label: 'Leaks', item_name: 'leak', color_name: 'fiesta-red' })
  })

  test.each(TEMPLATE_NAMES)('creates %s with German labels for readers of German', async (template) => {
    const body = { template, label: `${template} auf Deutsch`, item_name: `${template}_de` }
    const headers = { 'accept-language': 'de-AT,de;q=0.9' }
    const { status, text, json } = await api.post(`/projects/${project}/trackers`, { as: TOM, body, headers })

    expect(status, text).toBe(201)
    const label = json.fields.find(({ name }: { name: string }) => name === 'status').label
    const by = json.fields.find(({ name }: { name: string }) => name === 'submitted_by').label
    expect([label, by]).toEqual(['Status', 'Gemeldet von'])
  })

  test('is planned like a definition', async () => {
    expect((await post({ template: 'tasks', item_name: 'chore' }, 'trackers/plan')).json.errors).toEqual([])
  })

  test('refuses an unknown name and lists the known ones', async () => {
    const { status, json } = await post({ template: 'bug' })
    expect(status).toBe(400)
    expect(json.error.details.all).toMatchObject([{ path: '/template', allowed: TEMPLATE_NAMES }])
  })

  test('accepts only a label and a name beside it', async () => {
    const { json } = await post({ template: 'bugs', elements: [] })
    expect(json.error.details.all).toMatchObject([{ path: '/elements', reason: 'member_unknown' }])
  })
})

/** The texts for people in a definition. Semantics name fields. */
function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([name, each]) => {
    if (name === 'semantics') return []
    return typeof each === 'string' ? (TEXT_MEMBERS.includes(name) ? [each] : []) : textsIn(each)
  })
}
