import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { refused } from '../../../test/harness/refused.ts'

const { api } = await startWorld({ seedOnce: true })

const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) })
const hidden = { permissions: { read: ['@admins'], submit: ['@admins'], update: ['@admins'] } }

const SEALED = {
  label: 'Sealed',
  item_name: 'sealed',
  permissions: { full: ['@anonymous'] },
  elements: [
    field('summary', 'string'),
    field('status', 'sb', { bind: list('New', 'Closed') }),
    field('due', 'date'),
    field('opened', 'date', hidden),
    field('grade', 'sb', { bind: list('Gold', 'Iron'), ...hidden }),
    field('colour', 'sb', { bind: list('Red', 'Blue') }),
    field('verdict', 'string', hidden),
  ],
  semantics: { title: 'summary', status: { field: 'status', open: ['new'] } },
  rules: {
    dates: [{ source: 'opened', comparator: '≤', target: 'due' }],
    lists: [{ source: 'grade', target: 'colour', allow: { gold: ['red'], iron: ['blue'] } }],
  },
  workflow: {
    field: 'status',
    used: true,
    mode: 'simple',
    states: [
      { to: 'new', from: ['@new'] },
      { to: 'closed', from: ['new'], conditions: { not_empty: ['verdict'] } },
    ],
  },
}

let sealed: MadeTracker
let id: number
beforeAll(async () => {
  sealed = await makeTestTracker(api, SEALED)
})
beforeEach(async () => {
  id = await makeTestArtifact(api, sealed, {
    summary: 'Crate',
    status: 'New',
    due: '2026-06-01',
    opened: '2026-03-14',
    grade: 'Gold',
    colour: 'Red',
  })
})

const put = (values_by_field: object, { as = TOM, query = '' }: { as?: TestPerson; query?: string } = {}) =>
  api.put(`/artifacts/${id}${query}`, { as, body: { values_by_field } })
const GENERIC = [{ reason: 'rule_violated', cause: 'hidden_rule', message: expect.any(String) }]

test.each([
  { rule: 'a date rule', values: { due: '2026-01-01' } },
  { rule: 'a dependency', values: { colour: 'Blue' } },
  { rule: 'a condition of a transition', values: { status: 'Closed' } },
])('R01 $rule on a hidden field refuses without naming fields, values or choices', async ({ values }) => {
  const answer = await put(values)

  expect(answer).toMatchObject(refused(400, 'rule_violated'))
  expect(answer.json.error.details).toEqual({ cause: 'hidden_rule', all: GENERIC })
  expect(answer.text).not.toMatch(/Gold|Red|Blue|opened|grade|verdict|2026/)
})

test('R01 a caller who may read the fields learns the rule', async () => {
  expect(await put({ due: '2026-01-01' }, { as: MARA })).toMatchObject(
    refused(400, 'rule_violated', { cause: 'date_rule', params: { source: 'opened', comparator: '≤', target: 'due' } }),
  )
  expect(await put({ colour: 'Blue' }, { as: MARA })).toMatchObject(
    refused(400, 'value_not_allowed', { params: { source_values: 'Gold' } }),
  )
})

test('R02 a dry run gives the same response whatever a hidden field holds', async () => {
  const guess = async (values: object) => (await put(values, { query: '?dry_run=true' })).json.dry_run?.rules
  const unchecked = { rule: 'hidden', name: '', effect: 'not_checked' }

  for (const due of ['2026-01-01', '2026-03-13', '2026-03-14', '2026-12-31'])
    expect(await guess({ due })).toEqual([unchecked])
  for (const colour of ['Red', 'Blue']) expect(await guess({ colour, due: '2026-06-02' })).toEqual([unchecked])
  expect(await guess({ status: 'Closed' })).toEqual([unchecked])
  expect(await put({ due: '2026-01-01' }, { as: MARA, query: '?dry_run=true' })).toMatchObject(
    refused(400, 'rule_violated', { cause: 'date_rule' }),
  )
})

test('R02 a dry run in bulk gives the same response whatever a hidden field holds', async () => {
  const lines = ['2026-01-01', '2026-12-31'].map((due) => ({ op: 'update', id, values_by_field: { due } }))
  const answer = await api.post(`/trackers/${sealed.id}/artifacts/bulk?dry_run=true`, {
    as: TOM,
    headers: { 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
  })

  expect(answer.status).toBe(200)
  expect(answer.text).not.toContain('error')
})

test('R03 a hidden state is not revealed by the fields that it freezes', async () => {
  const frozen = await makeTestTracker(api, {
    label: 'Frozen',
    item_name: 'frozen',
    permissions: { full: ['@anonymous'] },
    elements: [field('summary', 'string'), field('status', 'sb', { bind: list('New', 'Closed'), ...hidden })],
    workflow: {
      field: 'status',
      used: true,
      mode: 'simple',
      states: [
        { to: 'new', from: ['@new'] },
        { to: 'closed', from: ['new', '@new'], actions: [{ type: 'frozen_fields', fields: ['summary'] }] },
      ],
    },
  })
  const [open, closed] = [
    await makeTestArtifact(api, frozen, { summary: 'One', status: 'New' }),
    await makeTestArtifact(api, frozen, { summary: 'One', status: 'Closed' }),
  ]
  const rename = (which: number, query = '') =>
    api.put(`/artifacts/${which}${query}`, { as: TOM, body: { values_by_field: { summary: 'Two' } } })
  const form = async (which: number, as: TestPerson) => {
    const { json } = await api.get(`/artifacts/${which}?tracker_structure_format=complete`, { as })
    return json.tracker.fields
  }

  expect((await rename(closed, '?dry_run=true')).status).toBe((await rename(open, '?dry_run=true')).status)
  expect(await form(closed, TOM)).toEqual(await form(open, TOM))
  expect(await form(closed, MARA)).not.toEqual(await form(open, MARA))
  expect((await rename(closed)).json.error.details.cause).toBe('hidden_rule')
})
