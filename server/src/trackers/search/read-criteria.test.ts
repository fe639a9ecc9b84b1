import { describe, expect, test } from 'vitest'
import { STATUS } from '../../../test/fixtures/list-values.ts'
import { oneField } from '../../../test/fixtures/one-field.ts'
import { ASKING, accessToFields } from '../../../test/fixtures/one-search.ts'
import { toId } from '../../platform/database/ids.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { artifactLinksField } from '../field-types/artifact-links/artifact-links-field.ts'
import { artifactPermissionsField } from '../field-types/artifact-permissions/artifact-permissions-field.ts'
import { burndownField } from '../field-types/burndown/burndown-field.ts'
import { burnupField } from '../field-types/burnup/burnup-field.ts'
import { computedField } from '../field-types/computed/computed-field.ts'
import { crossReferencesField } from '../field-types/cross-references/cross-references-field.ts'
import { dateField } from '../field-types/date/date-field.ts'
import type { FieldType } from '../field-types/field-type.ts'
import { fieldsetElement } from '../field-types/fieldset/fieldset-element.ts'
import { integerField } from '../field-types/integer/integer-field.ts'
import { multiSelectBoxField } from '../field-types/multi-select-box/multi-select-box-field.ts'
import { selectBoxField } from '../field-types/select-box/select-box-field.ts'
import { stringField } from '../field-types/string/string-field.ts'
import type { Bind, Element } from '../tracker.ts'
import { conjunction, type Condition, ALWAYS_TRUE } from './condition.ts'
import { readCriteria } from './read-criteria.ts'

const IGNORED = [
  artifactLinksField,
  artifactPermissionsField,
  crossReferencesField,
  burndownField,
  burnupField,
  computedField,
]

function field(id: number, name: string, type: FieldType, bind?: Bind): Element {
  return { ...oneField(type, { name, ...(bind && { bind }) }).field, id: toId(id), label: name }
}

const summary = field(101, 'summary', stringField)
const status = field(102, 'status', selectBoxField, STATUS)
const points = field(103, 'points', integerField)
const due = field(104, 'due', dateField)
const ACCESS = accessToFields(
  field(100, 'main', fieldsetElement),
  summary,
  status,
  points,
  due,
  field(105, '101', stringField),
  field(106, '99', multiSelectBoxField, STATUS),
  ...IGNORED.map((type, index) => field(110 + index, type.type, type)),
)

const read = async (given: unknown) => readCriteria(ACCESS, given, ASKING)

async function refusal(given: unknown): Promise<unknown> {
  try {
    return await read(given)
  } catch (error) {
    return error instanceof ApiError ? { reason: error.reason, ...error.details } : error
  }
}

const engine: Condition = { kind: 'text', field: { id: summary.id }, contains: 'engine' }
const open: Condition = { kind: 'chosen', field: status.id, ids: [301] }

test('all criteria must hold', async () => {
  expect(await read({ summary: 'engine', status: { operator: 'contains', value: '301' }, points: '>2' })).toEqual({
    condition: conjunction(engine, open, { kind: 'number', field: points.id, unit: 'number', from: 2, isAfter: true }),
    ignored: [],
    fields: [summary, status, points],
  })
})

test.each([5, 'x', null, true, [], [{ summary: 'engine' }], {}])('%j has no criteria', async (given) => {
  expect(await read(given)).toEqual({ condition: ALWAYS_TRUE, ignored: [], fields: [] })
})

describe('a field is named', () => {
  test.each([
    { key: '102', by: 'its id' },
    { key: 'status', by: 'its name' },
  ])('by $by', async ({ key }) => {
    expect(await read({ [key]: 301 })).toMatchObject({ condition: open, fields: [status] })
  })

  test('by its id rather than by a name of digits', async () => {
    expect(await read({ 101: 'engine' })).toMatchObject({ condition: engine })
    expect(await read({ 99: 301 })).toMatchObject({ condition: { field: 106 } })
  })

  test('repeatedly', async () => {
    const { condition, fields } = await read({ 101: 'engine', summary: 'stops' })
    expect(condition).toEqual(conjunction(engine, { kind: 'text', field: { id: summary.id }, contains: 'stops' }))
    expect(fields).toEqual([summary])
  })
})

describe('a criterion is', () => {
  test.each([
    { form: 'a scalar', member: 301 },
    { form: 'a text', member: '301' },
    { form: 'an array', member: [301] },
    { form: 'an object without the two members', member: { id: 301 } },
    { form: 'an object with both', member: { operator: 'contains', value: [301] } },
    { form: 'an object with more than both', member: { operator: 'contains', value: 301, more: 302 } },
  ])('$form', async ({ member }) => {
    expect(await read({ status: member })).toMatchObject({ condition: open })
  })

  test.each([
    { form: 'without a value', member: { operator: 'contains' } },
    { form: 'with a value that is null', member: { operator: 'contains', value: null } },
    { form: 'without an operator', member: { value: 301 } },
    { form: 'with an operator that is null', member: { operator: null, value: 301 } },
    { form: 'null', member: null },
  ])('not $form', async ({ member }) => {
    const problem = { reason: 'query_malformed', cause: 'criterion', path: 'status' }
    expect(await refusal({ status: member })).toEqual({
      ...problem,
      all: [{ ...problem, field_id: 102, name: 'status', label: 'status' }],
    })
  })
})

describe('an operator', () => {
  const ALL = ['contains', '=', 'between', '>', '<']

  test.each([
    { operator: 'like', key: 'status', allowed: ALL },
    { operator: 'like', key: 'art_link', allowed: ALL },
    { operator: 'CONTAINS', key: 'status', allowed: ALL },
    { operator: '=', key: 'status', allowed: ['contains'] },
    { operator: '>', key: 'points', allowed: ['contains'] },
    { operator: 'between', key: 'summary', allowed: ['contains'] },
    { operator: '>=', key: 'due', allowed: ALL },
  ])('$operator is refused on $key', async ({ operator, key, allowed }) => {
    expect(await refusal({ [key]: { operator, value: 'x' } })).toMatchObject({
      reason: 'query_operator',
      cause: 'operator',
      path: key,
      allowed,
      params: { operator },
      all: [{ name: key }],
    })
  })

  test('is a text', async () => {
    const refused = { reason: 'query_operator', cause: 'operator', params: { operator: '["="]' } }
    expect(await refusal({ status: { operator: ['='], value: 1 } })).toMatchObject(refused)
  })

  test.each(ALL)('%s is known to dates', async (operator) => {
    expect(await read({ due: { operator, value: ['2026-03-01', '2026-03-02'] } })).toMatchObject({ fields: [due] })
  })
})

const NEAREST: Readonly<Record<string, object>> = { 100: { nearest: '101' }, Summary: { nearest: 'summary' } }

test('all unknown fields are reported at once, before any other problem', async () => {
  const problem = (key: string) => ({
    reason: 'query_unknown_key',
    cause: 'field',
    path: key,
    params: { name: key },
    ...NEAREST[key],
  })
  const given = { color: 1, status: { operator: 'like', value: 1 }, Summary: 'x', main: 1, 100: 1, __proto: 1 }
  expect(await refusal(given)).toEqual({
    reason: 'query_unknown_key',
    path: '100',
    cause: 'field',
    allowed: ['summary', 'status', 'points', 'due', '101', '99', ...IGNORED.map(({ type }) => type)],
    nearest: '101',
    all: ['100', 'color', 'Summary', 'main', '__proto'].map(problem),
  })
})

test('a field that the caller may not read is reported as unknown', async () => {
  const all = (name: string, access: { readable: readonly Element[] }) =>
    readCriteria(access, { [name]: 'x' }, ASKING).catch((error: unknown) => error)
  const hidden = await all('points', accessToFields(summary))
  expect(hidden).toMatchObject({ reason: 'query_unknown_key', details: { allowed: ['summary'] } })
  expect(await all('103', accessToFields(summary))).toMatchObject({ reason: 'query_unknown_key' })
  expect(await all('nothing', accessToFields(summary))).toMatchObject({ reason: 'query_unknown_key' })
})

test.each(IGNORED.map(({ type }) => type))('%s is ignored, and reported as ignored', async (type) => {
  for (const member of ['x', 5, { operator: '>', value: 5 }, {}])
    expect(await read({ [type]: member, summary: 'engine' })).toMatchObject({ condition: engine, ignored: [type] })
})

test('an empty criterion is dropped, and reported once', async () => {
  expect(
    await read({ due: 'tomorrow', 104: 'never', status: 100, 102: [], points: 'many', summary: ' ' }),
  ).toMatchObject({ condition: ALWAYS_TRUE, ignored: ['status', 'due', 'points', 'summary'] })
})

test('all faults are reported, with the first as the reason', async () => {
  const given = { status: 'Nowhere', summary: '/(?=x)/', points: { value: 1 }, due: '2026-03-01' }
  expect(await refusal(given)).toMatchObject({
    reason: 'value_invalid',
    cause: 'list_value',
    path: 'status',
    params: { value: 'Nowhere' },
    all: [
      { reason: 'value_invalid', field_id: 102, name: 'status', label: 'status' },
      { reason: 'query_malformed', cause: 'regular_expression', position: 1, path: 'summary', name: 'summary' },
      { reason: 'query_malformed', cause: 'criterion', path: 'points' },
    ],
  })
})
