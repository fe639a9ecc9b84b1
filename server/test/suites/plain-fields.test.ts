import { expect, test } from 'vitest'
import { startWorld } from '../harness/start-world.ts'
import { MARA, TOM } from '../fixtures/people.ts'
import { ORCHARD } from '../fixtures/seed-ids.ts'

const { api } = await startWorld({ environment: { WAYPOST_TIME_ZONE: 'Europe/Zurich' } })

const ELEMENTS = [
  { name: 'summary', type: 'string', properties: { maxchars: 255, size: 60 } },
  { name: 'details', type: 'text', properties: { rows: 8, cols: 80 } },
  { name: 'points', type: 'int', default: 1 },
  { name: 'hours', type: 'float' },
  { name: 'due', type: 'date' },
  { name: 'started', type: 'date', properties: { display_time: true } },
  { name: 'found', type: 'date', default: 'today' },
  { name: 'remaining', type: 'computed' },
  { name: 'artifact_id', type: 'aid' },
  { name: 'number', type: 'atid' },
  { name: 'submitted_by', type: 'subby' },
  { name: 'submitted_on', type: 'subon' },
  { name: 'last_update_by', type: 'luby' },
  { name: 'last_update', type: 'lud' },
  { name: 'rank', type: 'priority' },
  { name: 'references', type: 'cross' },
  { name: 'burndown', type: 'burndown', properties: { use_cache: true } },
  { name: 'burnup', type: 'burnup' },
  { name: 'advice', type: 'staticrichtext', properties: { static_value: '<p>Attach the telemetry file.</p>' } },
  { name: 'break_1', type: 'linebreak' },
  { name: 'sep_1', type: 'separator' },
]

interface Shown {
  field_id: number
  name: string
  type: string
  [member: string]: unknown
}

/** A tracker with every plain type, and its fields by name. */
async function makeTracker() {
  const { status, json } = await api.post(`/projects/${ORCHARD}/trackers`, {
    as: MARA,
    body: {
      format: 'waypost-tracker/1',
      label: 'Bugs',
      item_name: 'plain',
      elements: [
        {
          name: 'fs_main',
          type: 'fieldset',
          label: 'Main',
          content: [{ name: 'col_left', type: 'column', label: 'Left', content: ELEMENTS.map(withLabel) }],
        },
      ],
    },
  })
  expect(json).not.toHaveProperty('error')
  expect(status).toBe(201)
  const fields: Shown[] = json.fields
  return { id: json.id, fields: new Map(fields.map((field) => [field.name, field])) }
}

function withLabel<E extends { name: string }>(element: E) {
  return { ...element, label: element.name }
}

const VALUES = {
  summary: { value: 'Engine stops at start' },
  details: { value: 'Engine stops after **12 s**.' },
  hours: { value: '1.50' },
  due: { value: '2026-07-20T23:00:00-11:00' },
  started: { value: '2026-03-02 14:30' },
  remaining: { manual_value: 8 },
}

test('the structure shows every plain type', async () => {
  const { fields } = await makeTracker()
  const shown = (name: string) => {
    const field = fields.get(name)
    const members = ['default_value', 'specific_properties', 'values', 'bindings', 'permissions']
    return Object.fromEntries(members.map((member) => [member, field?.[member]]))
  }
  const plain = { default_value: null, specific_properties: {}, values: null, bindings: { type: null, list: [] } }
  const readable = { ...plain, permissions: ['read'] }
  const writable = { ...plain, permissions: ['read', 'update', 'create'] }
  expect(shown('summary')).toEqual({
    ...writable,
    default_value: '',
    specific_properties: { maxchars: 255, size: 60, default_value: '' },
  })
  expect(shown('details')).toEqual({
    ...writable,
    default_value: { format: 'commonmark', content: '' },
    specific_properties: { rows: 8, cols: 80, default_value: '' },
  })
  expect(shown('points')).toEqual({
    ...writable,
    default_value: 1,
    specific_properties: { maxchars: 0, size: 5, default_value: 1 },
  })
  expect(shown('found')).toMatchObject({ default_value: '2026-03-01', specific_properties: { default_value_type: 0 } })
  expect(shown('remaining')).toEqual({
    ...writable,
    specific_properties: { target_field_name: 'remaining', default_value: null },
  })
  expect(shown('burndown')).toEqual({
    ...readable,
    specific_properties: { use_capacity: 0, include_weekends: 0, use_cache: 1 },
  })
  expect(shown('submitted_by')).toEqual({
    ...readable,
    values: [],
    default_value: [],
    bindings: { type: 'users', list: [] },
  })
  expect(shown('last_update_by')).toEqual({ ...readable, values: [], default_value: [] })
  for (const name of ['artifact_id', 'number', 'submitted_on', 'last_update', 'rank', 'references', 'burnup', 'sep_1'])
    expect(shown(name)).toEqual(readable)
  expect(
    ['due', 'started', 'submitted_on', 'last_update'].map((name) => fields.get(name)?.['is_time_displayed']),
  ).toEqual([false, true, true, true])
})

test('values are shown as stored, and sending them back creates no version', async () => {
  const { id } = await makeTracker()
  const { status, json } = await api.post('/artifacts', {
    as: MARA,
    body: { tracker: { id }, values_by_field: VALUES },
  })
  expect(status).toBe(201)
  const artifact = `/artifacts/${json.id}`
  const read = await api.get(artifact, { as: TOM })
  const values: Shown[] = read.json.values
  const brief = values.map(({ type, label, ...rest }) => [label, type, rest])
  expect(brief).toMatchObject([
    ['summary', 'string', { value: 'Engine stops at start' }],
    ['details', 'text', { value: '<p>Engine stops after <strong>12 s</strong>.</p>', format: 'html' }],
    ['points', 'int', { value: 1 }],
    ['hours', 'float', { value: 1.5 }],
    ['due', 'date', { value: '2026-07-20T00:00:00+02:00', is_time_displayed: false }],
    ['started', 'date', { value: '2026-03-02T13:30:00+00:00', is_time_displayed: true }],
    ['found', 'date', { value: '2026-03-01T00:00:00+01:00' }],
    ['remaining', 'computed', { is_autocomputed: false, value: null, manual_value: 8 }],
    ['artifact_id', 'aid', { value: json.id }],
    ['number', 'atid', { value: 1 }],
    ['submitted_by', 'subby', { value: { username: 'mara', email: expect.stringContaining('@'), status: 'A' } }],
    ['submitted_on', 'subon', { value: '2026-03-01T09:30:00+00:00' }],
    ['last_update_by', 'luby', { value: { username: 'mara' } }],
    ['last_update', 'lud', { value: '2026-03-01T09:30:00+00:00' }],
    ['rank', 'priority', { value: expect.any(Number) }],
  ])
  const replayed = await api.put(artifact, { as: TOM, body: { values } })
  expect(replayed.status).toBe(200)
  expect(replayed.json.values).toEqual(values)
  expect((await api.get(`${artifact}/changesets`, { as: MARA })).json).toHaveLength(1)
})

test('all errors are reported at once, with the names of the fields', async () => {
  const { id } = await makeTracker()
  const { status, json } = await api.post('/artifacts', {
    as: MARA,
    body: {
      tracker: { id },
      values_by_field: {
        summary: { value: 'two\nlines' },
        points: { value: '9007199254740992' },
        hours: { value: 'many' },
        due: { value: '2026-02-30' },
        remaining: { value: 3 },
        artifact_id: { value: 5 },
      },
    },
  })
  expect(status).toBe(400)
  const problems: { cause: string; message: string }[] = json.error.details.all
  expect(problems.map(({ cause, message }) => [cause, message])).toEqual([
    ['line_break', 'summary (summary) takes one line.'],
    ['number_out_of_range', 'points (points) is out of range: from -9007199254740991 to 9007199254740991.'],
    ['not_a_number', 'hours (hours) takes a number.'],
    ['not_a_date', 'due (due) takes a date of the form YYYY-MM-DD, such as 2026-03-01.'],
    ['computed_value_refused', 'remaining (remaining) is computed: give `manual_value`, or `is_autocomputed`.'],
    ['field_read_only', 'artifact_id (artifact_id) is filled by the platform.'],
  ])
})

test('clearing creates one version, and clearing again none', async () => {
  const { id } = await makeTracker()
  const { json } = await api.post('/artifacts', { as: MARA, body: { tracker: { id }, values_by_field: VALUES } })
  const artifact = `/artifacts/${json.id}`
  const cleared = {
    summary: { value: '' },
    details: { value: '' },
    hours: { value: '' },
    due: { value: null },
    started: { value: false },
    remaining: { is_autocomputed: true },
  }
  for (const _ of [1, 2])
    expect((await api.put(artifact, { as: MARA, body: { values_by_field: cleared } })).status).toBe(200)
  expect((await api.get(`${artifact}/changesets`, { as: MARA })).json).toHaveLength(2)
  const { values_by_field } = (await api.get(`${artifact}?values_format=by_field`, { as: MARA })).json
  expect(values_by_field).toMatchObject({ summary: { value: '' }, hours: { value: null }, remaining: null })
})
