import { beforeAll, describe, expect, test } from 'vitest'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { MARA, OLGA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { startWorld } from '../../../test/harness/start-world.ts'

const { api } = await startWorld({ seedOnce: true })
const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const numbered = Array.from({ length: 60 }, (_, at) => ({ label: `Crate ${at + 1}` }))
let tracker: MadeTracker
let id: number

beforeAll(async () => {
  const elements = [
    ...EVERY_FIELD.elements,
    field('rot', 'sb', { bind: { type: 'static', values: [{ label: 'Fresh' }, { label: 'Gone', hidden: true }] } }),
    field('crate', 'sb', { bind: { type: 'static', values: numbered } }),
    field('opinion', 'sb', {
      bind: { type: 'static', values: [{ label: 'Lovely' }] },
      permissions: { read: ['@admins'], submit: ['@anonymous'], update: ['@admins'] },
    }),
  ]
  tracker = await makeTestTracker(api, { ...EVERY_FIELD, elements })
  id = await makeTestArtifact(api, tracker, { summary: 'Crates' })
})

async function refusal(values_by_field: object, as: TestPerson = TOM) {
  const { status, json } = await api.put(`/artifacts/${id}`, { as, body: { values_by_field } })
  expect(status).toBe(400)
  return json.error
}

async function refusalOfItem(item: object, as: TestPerson = TOM) {
  const { status, json } = await api.put(`/artifacts/${id}`, { as, body: { values: [item] } })
  expect(status).toBe(400)
  return json.error
}

const choice = (name: string, label: string) => ({ id: tracker.value(name, label), label })

describe('a value that a list does not have', () => {
  test('by name: the error has the choices and the nearest, also in its sentence', async () => {
    const error = await refusal({ status: 'Opne' })
    const choices = ['Open', 'Working', 'Closed'].map((label) => choice('status', label))
    expect(error.details).toMatchObject({ cause: 'list_value_unknown', allowed: choices, nearest: 'Open' })
    expect(error.details.all).toMatchObject([
      { allowed: choices, nearest: 'Open', path: 'values_by_field.status.value' },
    ])
    expect(error.message).toBe('Bad Request: status (status) has no such value; did you mean "Open"?')
  })

  test('by id: the error has the choices, and no nearest one', async () => {
    const { details } = await refusalOfItem({ field_id: tracker.field('status'), bind_value_ids: [1] })
    expect(details.allowed).toContainEqual(choice('status', 'Closed'))
    expect(details).not.toHaveProperty('nearest')
  })

  test('hidden values are no choice', async () => {
    const { details } = await refusal({ rot: 'Gone' })
    expect(details).toMatchObject({ cause: 'list_value_hidden', allowed: [choice('rot', 'Fresh')] })
    expect(details).not.toHaveProperty('nearest')
  })

  test('of a long list the first 50 are listed, and the nearest of all', async () => {
    const { details } = await refusal({ crate: 'Crate 60x' })
    expect(details.allowed).toHaveLength(50)
    expect(details.allowed[0]).toEqual(choice('crate', 'Crate 1'))
    expect(details.nearest).toBe('Crate 60')
  })

  test('of a field that the submitter may not read, no value is listed', async () => {
    const body = { tracker: { id: tracker.id }, values_by_field: { summary: 'x', opinion: 'Lovel' } }
    const hidden = await api.post('/artifacts', { as: TOM, body })
    expect(hidden.json.error.details).toMatchObject({ cause: 'list_value_unknown' })
    expect(hidden.text).not.toContain('Lovely')
    const shown = await api.post('/artifacts', { as: MARA, body })
    expect(shown.json.error.details).toMatchObject({ nearest: 'Lovely' })
  })
})

test('an unknown person: the logins that the field offers', async () => {
  const error = await refusal({ assigned_to: ['tomm'] })
  expect(error.details).toMatchObject({ cause: 'user_unknown', nearest: 'tom' })
  expect(error.details.allowed).toContainEqual({ id: TOM.id, label: 'tom' })
  expect(JSON.stringify(error)).not.toContain(OLGA.login)
})

test('an unknown group: the short names that the field offers', async () => {
  const { details } = await refusal({ team: 'leeds' })
  expect(details).toMatchObject({ cause: 'group_unknown', nearest: 'leads' })
  expect(details.allowed.map(({ label }: { label: string }) => label)).toEqual([
    'project_members',
    'project_admins',
    'leads',
  ])
  const item = { field_id: tracker.field('seen_by'), value: { granted_groups: ['leeds'], is_used_by_default: true } }
  expect((await refusalOfItem(item)).details).toMatchObject({ cause: 'group_unknown', nearest: 'leads' })
})

describe('a field that does not exist', () => {
  test('by name: the nearest readable one', async () => {
    const error = await refusal({ statsu: 'Open' })
    expect(error.details).toMatchObject({ cause: 'field_unknown', nearest: 'status', params: { name: 'statsu' } })
    expect(error.details.allowed).toContain('severity')
    expect(error.message).toBe('Bad Request: There is no such field; did you mean "status"?')
  })

  test('a hidden field is neither listed nor suggested', async () => {
    const hidden = await refusal({ budgets: 'x' })
    expect(hidden.details).not.toHaveProperty('nearest')
    expect(hidden.details.allowed).not.toContain('budget')
    expect((await refusal({ budgets: 'x' }, MARA)).details.nearest).toBe('budget')
  })

  test('by id: the fields with their ids', async () => {
    const { details } = await refusalOfItem({ field_id: 1, value: 'x' })
    expect(details.allowed).toContainEqual({ id: tracker.field('status'), label: 'status' })
    expect(JSON.stringify(details)).not.toContain('budget')
  })
})

describe('a value that is no date', () => {
  test.each([
    ['due', 'YYYY-MM-DD', '2026-03-01'],
    ['started', 'YYYY-MM-DDThh:mm:ss+hh:mm', '2026-03-01T09:30:00+00:00'],
  ])('%s expects %s', async (name, format, example) => {
    const error = await refusal({ [name]: '1.3.2026' })
    expect(error.details).toMatchObject({ cause: 'not_a_date', params: { format, example } })
    expect(error.message).toContain(`takes a date of the form ${format}, such as ${example}.`)
    expect((await refusal({ [name]: example.replace('03', '3') })).details.cause).toBe('not_a_date')
  })

  test.each([
    '/artifacts/1?at=yesterday',
    '/audit?from=yesterday',
    '/trackers/1/artifacts/groups?by=status&over=day&from=yesterday',
  ])('%s names the form', async (address) => {
    const { json } = await api.get(address.replace('/artifacts/1?', `/artifacts/${id}?`), { as: MARA })
    expect(json.error).toMatchObject({
      reason: 'parameter_invalid',
      details: { cause: 'date_form', params: { example: '2026-03-01T09:30:00+00:00' } },
    })
    expect(json.error.message).toContain('YYYY-MM-DD / YYYY-MM-DDThh:mm:ss+hh:mm')
  })
})

test.each([
  ['/projects?fields=labell', 'label'],
  ['/users/self/membership?scope=projects', 'project'],
])('%s suggests %s', async (address, nearest) => {
  const { json } = await api.get(address, { as: MARA })
  expect(json.error).toMatchObject({ reason: 'parameter_not_allowed', details: { nearest } })
  expect(json.error.message).toContain(`did you mean "${nearest}"?`)
})

test('criteria and queries name the nearest field in one place', async () => {
  const query = encodeURIComponent(JSON.stringify({ statsu: 'Open' }))
  const expert = encodeURIComponent('statsu = "Open"')
  for (const search of [`query=${query}`, `expert_query=${expert}`]) {
    const { json } = await api.get(`/trackers/${tracker.id}/artifacts?${search}`, { as: TOM })
    expect(json.error.details).toMatchObject({ nearest: 'status', all: [{ nearest: 'status' }] })
    expect(json.error.message).toContain('did you mean "status"?')
  }
})
