import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'
import { LEADS } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'
import { recordedEvents } from '../../../test/harness/recorded-events.ts'

/** Triggers have their own tests; configuration is tested in trackers/workflow. */
const { api, clock, context } = await startWorld({ seedOnce: true })

const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) })
const admins = { read: ['@admins'], submit: ['@admins'], update: ['@admins'] }
const JOB = 'https://ci.example.org/job/release'

const ELEMENTS = [
  field('main', 'fieldset', {
    content: [
      field('summary', 'string'),
      field('status', 'sb', { bind: list('New', 'Working', 'Checked', 'Closed', 'Lost') }),
      field('points', 'int'),
      field('effort', 'float'),
      field('closed_on', 'date', { permissions: { read: ['@anonymous'], submit: ['@admins'], update: ['@admins'] } }),
      field('closed_at', 'date', { properties: { display_time: true } }),
      field('due', 'date'),
      field('place', 'sb', { bind: list('Barn', 'Yard', 'Dock') }),
      field('fruit', 'msb', { bind: list('Apple', 'Pear', 'Plum') }),
      field('secret', 'sb', { bind: list('Red', 'Blue'), permissions: admins }),
    ],
  }),
  field('more', 'fieldset', { content: [field('notes', 'text')] }),
]

const STATES = [
  { to: 'new', from: ['@new', 'working'] },
  { to: 'working', from: ['new', 'checked'], conditions: { not_empty: ['summary', 'points'] } },
  {
    to: 'checked',
    from: ['working'],
    conditions: { groups: ['leads'], comment: true },
    actions: [{ type: 'run_job', job_url: JOB }],
  },
  {
    to: 'closed',
    from: ['working', 'checked'],
    actions: [
      { type: 'set_field_value', field: 'closed_on', value: 'current' },
      { type: 'set_field_value', field: 'closed_at', value: 'current' },
      { type: 'set_field_value', field: 'points', value: 0 },
      { type: 'set_field_value', field: 'effort', value: 2.5 },
      { type: 'set_field_value', field: 'due', value: '' },
      { type: 'frozen_fields', fields: ['summary', 'notes'] },
      { type: 'hidden_fieldsets', fieldsets: ['more'] },
    ],
  },
]

const BOARD = {
  label: 'Board',
  item_name: 'board',
  permissions: { full: ['@anonymous'] },
  elements: ELEMENTS,
  semantics: { title: 'summary', status: { field: 'status', open: ['new', 'working', 'checked'] } },
  workflow: { field: 'status', used: true, mode: 'simple', states: STATES },
}

let board: MadeTracker
let id: number
beforeAll(async () => {
  board = await makeTestTracker(api, BOARD)
})

const create = (values_by_field: object, as: TestPerson = TOM, into = board) =>
  api.post('/artifacts', { as, body: { tracker: { id: into.id }, values_by_field } })
const put = (values_by_field: object, { as = TOM, comment }: { as?: TestPerson; comment?: string } = {}) =>
  api.put(`/artifacts/${id}`, {
    as,
    body: { values_by_field, ...(comment !== undefined && { comment: { body: comment } }) },
  })
const shown = async (as: TestPerson = MARA) =>
  (await api.get(`/artifacts/${id}?values_format=by_field&by_field_types=all`, { as })).json.values_by_field
const versions = async () => (await api.get(`/artifacts/${id}/changesets?limit=50&diff=true`, { as: MARA })).json
const values = (...labels: string[]) => labels.map((label) => ({ id: board.value('status', label), label }))

beforeEach(async () => {
  clock.set('2026-03-01T09:30:00Z')
  id = await makeTestArtifact(api, board, { summary: 'Crates', status: 'New', points: 3 })
})

describe('an undefined transition', () => {
  test('is refused with the allowed transitions, together with other field errors', async () => {
    const answer = await put({ points: 'many', status: 'Closed', effort: 'much' })

    expect(answer.json.error.details.all).toMatchObject([
      {
        reason: 'transition_not_allowed',
        cause: 'transition_missing',
        rule: 'one_of',
        path: 'values_by_field.status.value',
        field_id: board.field('status'),
        name: 'status',
        label: 'status',
        allowed: values('Working'),
        params: { from: 'New', to: 'Closed' },
      },
      { name: 'points', cause: 'not_a_number' },
      { name: 'effort', cause: 'not_a_number' },
    ])
    expect(answer.json.error.reason).toBe('transition_not_allowed')
  })

  test('lists only transitions that the caller may take', async () => {
    await put({ status: 'Working' })
    const to = async (as: TestPerson) => (await put({ status: 'Lost' }, { as })).json.error.details.allowed

    expect(await to(TOM)).toEqual(values('New', 'Closed'))
    expect(await to(UMA)).toEqual(values('New', 'Checked', 'Closed'))
  })

  test('includes one to None, from any value', async () => {
    expect(await put({ status: [] })).toMatchObject(refused(400, 'transition_not_allowed', { params: { to: null } }))
    expect(await create({ summary: 'x', status: [] })).toMatchObject(refused(400, 'transition_not_allowed'))
  })

  test('does not occur if the value stays, or is not sent', async () => {
    expect((await put({ status: 'New' })).status).toBe(200)
    expect((await put({ summary: 'Boxes' })).status).toBe(200)
  })
})

describe('a new artifact', () => {
  test('starts with an initial value of the workflow', async () => {
    expect((await create({ status: 'New' })).status).toBe(201)
    expect(await create({ status: 'Closed' })).toMatchObject(
      refused(400, 'transition_not_allowed', {
        cause: 'transition_missing',
        allowed: values('New'),
        params: { from: null, to: 'Closed' },
      }),
    )
  })

  test('may start without a value, and then takes an initial transition', async () => {
    const { status, json } = await create({ summary: 'Crates', points: 3 })
    expect([status, json.status]).toEqual([201, ''])
    id = json.id

    expect(await put({ status: 'Working' })).toMatchObject(refused(400, 'transition_not_allowed'))
    expect((await put({ status: 'New' })).json.status).toBe('New')
  })

  test('starts with the default, if that transition exists', async () => {
    const beginning = async (named: string, first: string) => {
      const status = field('status', 'sb', { bind: { ...list('New', 'Closed'), default: [first] } })
      const workflow = { ...BOARD.workflow, states: [{ to: 'new', from: ['@new'] }] }
      const semantics = { status: { field: 'status', open: ['new'] } }
      const elements = [field('summary', 'string'), status]
      const names = { label: named, item_name: named.toLowerCase() }
      return create(
        { summary: 'x' },
        TOM,
        await makeTestTracker(api, { ...BOARD, ...names, semantics, elements, workflow }),
      )
    }

    expect((await beginning('Good', 'new')).json.status).toBe('New')
    expect(await beginning('Bad', 'closed')).toMatchObject(refused(400, 'transition_not_allowed'))
  })

  test('requires no comment', async () => {
    const states = [{ to: 'new', from: ['@new'], conditions: { comment: true, not_empty: ['points'] } }]
    const workflow = { ...BOARD.workflow, states }
    const asking = await makeTestTracker(api, { ...BOARD, label: 'Asking', item_name: 'asking', workflow })

    expect(await create({ status: 'New' }, TOM, asking)).toMatchObject(
      refused(400, 'field_required', { cause: 'transition_field_empty' }),
    )
    expect((await create({ status: 'New', points: 1 }, TOM, asking)).status).toBe(201)
  })
})

describe('the conditions of a transition', () => {
  test('are reported all at once, with the groups that are allowed', async () => {
    await put({ status: 'Working' })
    const answer = await put({ status: 'Checked' })

    expect(answer).toMatchObject(refused(400, 'transition_not_allowed', { cause: 'transition_group' }))
    expect(answer.json.error.details.all).toMatchObject([
      {
        reason: 'transition_not_allowed',
        cause: 'transition_group',
        name: 'status',
        who_may: [{ user_group: String(LEADS) }],
      },
      { reason: 'rule_violated', cause: 'comment_required', path: 'comment.body' },
    ])
  })

  test('are met by a group member with a comment', async () => {
    await put({ status: 'Working' })
    const silent = await put({ status: 'Checked' }, { as: UMA, comment: ' \n ' })

    expect(silent).toMatchObject(refused(400, 'rule_violated', { cause: 'comment_required' }))
    expect((await put({ status: 'Checked' }, { as: UMA, comment: 'Fine' })).json.status).toBe('Checked')
  })

  test('apply to administrators too', async () => {
    await put({ status: 'Working' })
    for (const as of [MARA, ADA])
      expect(await put({ status: 'Checked' }, { as, comment: 'Fine' })).toMatchObject(
        refused(400, 'transition_not_allowed', { cause: 'transition_group' }),
      )
  })

  test('require fields that are neither sent nor stored', async () => {
    const empty = (await create({ status: 'New' })).json.id
    id = empty
    const answer = await put({ status: 'Working' })

    expect(answer).toMatchObject(refused(400, 'field_required', { cause: 'transition_field_empty' }))
    expect(answer.json.error.details.all).toMatchObject([
      { name: 'summary', label: 'summary', field_id: board.field('summary'), rule: 'required' },
      { name: 'points' },
    ])
    expect(await put({ status: 'Working', summary: 'x' })).toMatchObject({ status: 400 })
    expect((await put({ status: 'Working', summary: 'x', points: 0 })).status).toBe(200)
  })

  test('are checked after the fields', async () => {
    await put({ status: 'Working' })
    const answer = await put({ status: 'Checked', nothing: 1 })

    expect(answer.json.error.details.all).toMatchObject([{ cause: 'field_unknown' }])
  })
})

describe('the actions of a transition', () => {
  test('set fields in the same version, overriding sent values, without permission checks', async () => {
    await put({ status: 'Working', due: '2026-04-01' })
    clock.set('2026-03-02T14:31:07Z')
    const { status, json } = await put({ status: 'Closed', points: 7 })

    expect([status, json.is_open]).toEqual([200, false])
    expect(await shown()).toMatchObject({
      closed_on: { value: '2026-03-02T00:00:00+00:00' },
      closed_at: { value: '2026-03-02T14:31:07+00:00' },
      points: { value: 0 },
      effort: { value: 2.5 },
      due: { value: null },
    })
    const [, , closed, ...later] = await versions()
    expect(later).toEqual([])
    expect(closed.changes.map(({ field_id }: { field_id: number }) => field_id)).toEqual(
      ['status', 'points', 'effort', 'closed_on', 'closed_at', 'due'].map((name) => board.field(name)),
    )
  })

  test('change nothing if the values are already set', async () => {
    await put({ status: 'Working', points: 0, effort: 2.5 })
    await put({ status: 'Closed', points: 5 })

    const closed = (await versions()).at(-1)
    expect(closed.changes.map(({ field_id }: { field_id: number }) => field_id)).toEqual(
      ['status', 'closed_on', 'closed_at'].map((name) => board.field(name)),
    )
    expect(await shown()).toMatchObject({ points: { value: 0 } })
  })

  test('appear in the feed by id if they run a job', async () => {
    await put({ status: 'Working' })
    await put({ status: 'Checked' }, { as: UMA, comment: 'Fine' })
    const event = (await recordedEvents(context, 'artifact.updated')).at(-1)
    const { json } = await api.get(`/trackers/${board.id}`, { as: MARA })
    const step = json.workflow.transitions.find(
      ({ to_id }: { to_id: number }) => to_id === board.value('status', 'Checked'),
    )
    const actions = await api.get(`/tracker_workflow_transitions/${step.id}/actions`, { as: MARA })

    expect(event).toMatchObject({ object: `artifacts/${id}`, payload: { jobs: [actions.json[0].id] } })
    expect(JSON.stringify(event)).not.toContain('ci.example.org')
    await put({ summary: 'Boxes' })
    expect((await recordedEvents(context, 'artifact.updated')).at(-1)?.payload).not.toHaveProperty('jobs')
  })
})

describe('a state', () => {
  const structure = async (as: TestPerson = TOM) =>
    (await api.get(`/artifacts/${id}?tracker_structure_format=complete`, { as })).json.tracker
  const permissionsOf = (tracker: { fields: { name: string; permissions: string[] }[] }, name: string) =>
    tracker.fields.find((each) => each.name === name)?.permissions

  beforeEach(async () => {
    await put({ status: 'Working', notes: 'Words' })
  })

  test('freezes fields: sending the same value is accepted, a change is not', async () => {
    expect((await put({ summary: 'Boxes' })).status).toBe(200)
    expect((await put({ status: 'Closed', summary: 'Closed boxes' })).status).toBe(200)

    const inState = async (as: TestPerson) =>
      (await api.get(`/artifacts/${id}?tracker_structure_format=state`, { as })).json.tracker
    const { frozen_fields, ...rest } = await inState(TOM)
    expect(frozen_fields).toEqual([board.field('summary'), board.field('notes')])
    expect(rest).toMatchObject({ id: board.id, hidden_fieldsets: [board.field('more')] })
    expect(rest).not.toHaveProperty('fields')

    for (const as of [TOM, MARA, ADA]) {
      const answer = await put({ summary: 'Other', notes: 'Others' }, { as })
      expect(answer).toMatchObject(refused(400, 'rule_violated', { cause: 'field_frozen' }))
      expect(answer.json.error.details.all).toMatchObject([
        { name: 'summary', cause: 'field_frozen' },
        { name: 'notes', cause: 'field_frozen' },
      ])
    }
    expect((await put({ summary: 'Closed boxes', effort: 1 })).status).toBe(200)
  })

  test('removes the update permission from the structure, and hides fieldsets', async () => {
    const before = await structure()
    await put({ status: 'Closed' })
    const after = await structure()
    const hidden = ({ structure: tree, fields }: { structure: { id: number }[]; fields: object[] }) =>
      JSON.stringify([tree, fields]).match(/"is_hidden":true/g)?.length ?? 0

    expect(permissionsOf(before, 'summary')).toEqual(['read', 'update', 'create'])
    expect(permissionsOf(after, 'summary')).toEqual(['read', 'create'])
    expect(permissionsOf(after, 'effort')).toEqual(['read', 'update', 'create'])
    expect(hidden(after)).toBe(hidden(before) + 1)
    expect(await shown(TOM)).toMatchObject({ notes: { commonmark: 'Words' } })
  })

  test('does not require a field that it has frozen', async () => {
    const summary = field('summary', 'string')
    const late = { ...BOARD, label: 'Late', item_name: 'late' }
    const states = [
      { to: 'new', from: ['@new'] },
      { to: 'working', from: ['new'], actions: [{ type: 'frozen_fields', fields: ['summary'] }] },
      { to: 'closed', from: ['working'] },
    ]
    const content = [summary, field('status', 'sb', { bind: list('New', 'Working', 'Closed') })]
    const semantics = { status: { field: 'status', open: ['new'] } }
    const workflow = { ...BOARD.workflow, states }
    const tracker = await makeTestTracker(api, { ...late, elements: content, workflow, semantics })
    id = (await create({ status: 'New' }, TOM, tracker)).json.id
    await put({ status: 'Working' })
    const { json, headers } = await api.get(`/trackers/${tracker.id}/definition`, { as: MARA })
    json.elements[0].required = true
    const change = { as: MARA, headers: { 'if-match': String(headers.etag) }, body: json }
    expect((await api.put(`/trackers/${tracker.id}/definition`, change)).status).toBe(200)

    expect((await put({ status: 'Closed' })).status).toBe(200)
    expect(await put({}, { comment: 'Now it is asked for again' })).toMatchObject(refused(400, 'field_required'))
  })
})
