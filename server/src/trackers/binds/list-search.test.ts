import { describe, expect, test } from 'vitest'
import { MEMBERS, STATUS, TEAMS, value } from '../../../test/fixtures/list-values.ts'
import {
  SEARCHED_FIELD,
  ANONYMOUS_SEARCH,
  ASKING,
  MYSELF,
  NOW_LITERAL,
  oneSearch,
  OPEN,
} from '../../../test/fixtures/one-search.ts'
import { checkBoxesField } from '../field-types/check-boxes/check-boxes-field.ts'
import { multiSelectBoxField } from '../field-types/multi-select-box/multi-select-box-field.ts'
import { openListField } from '../field-types/open-list/open-list-field.ts'
import { radioButtonsField } from '../field-types/radio-buttons/radio-buttons-field.ts'
import { selectBoxField } from '../field-types/select-box/select-box-field.ts'
import { type Condition, negation, ALWAYS_FALSE } from '../search/condition.ts'
import type { StaticBind } from '../tracker.ts'
import { labelsOf } from './labels-of.ts'

const status = oneSearch(selectBoxField, { bind: STATUS })
const assignee = oneSearch(multiSelectBoxField, { bind: MEMBERS })
const team = oneSearch(radioButtonsField, { bind: TEAMS })

const chosen = (...ids: number[]): Condition => ({ kind: 'chosen', field: SEARCHED_FIELD, ids })
const ANY: Condition = { kind: 'chosen_any', field: SEARCHED_FIELD }
const malformed = (given: unknown) => ({
  reason: 'value_invalid',
  cause: 'list_value',
  params: { value: given },
})
const unknown = (cause: string, given: string) => ({ reason: 'reference_unknown', cause, params: { value: given } })

describe('criteria on a list', () => {
  test.each([
    { given: 301, condition: chosen(301) },
    { given: '301', condition: chosen(301) },
    { given: ' 301 ', condition: chosen(301) },
    { given: [301, '302', 301], condition: chosen(301, 302) },
    { given: [100, 301], condition: chosen(301) },
    { given: 100, condition: undefined },
    { given: ['100', 100], condition: undefined },
    { given: [], condition: undefined },
    { given: 999, condition: chosen(999) },
    { given: -301, condition: ALWAYS_FALSE },
    { given: 1.5, condition: ALWAYS_FALSE },
    { given: 0, condition: ALWAYS_FALSE },
    { given: '99999999999999999999', condition: ALWAYS_FALSE },
    { given: [0, 301], condition: chosen(301) },
    { given: 'Open', condition: chosen(301) },
    { given: ['in PROGRESS', 303], condition: chosen(302, 303) },
    { given: 'Duplicate', condition: chosen(304) },
    { given: '', condition: malformed('') },
    { given: 'Nowhere', condition: malformed('Nowhere') },
    { given: true, condition: malformed(true) },
    { given: [null], condition: malformed(null) },
    { given: [301, { id: 302 }], condition: malformed('{"id":302}') },
  ])('$given', async ({ given, condition }) => {
    expect(await status.criterion('contains', given)).toEqual(condition)
    expect(await oneSearch(checkBoxesField, { bind: STATUS }).criterion('contains', given)).toEqual(condition)
  })

  test('digits are an id, even if a label consists of digits', async () => {
    const bind: StaticBind = { ...STATUS, values: [value(401, '402'), value(402, '401')] }
    expect(await oneSearch(selectBoxField, { bind }).criterion('contains', '401')).toEqual(chosen(401))
  })

  test.each([
    { given: 102, condition: chosen(102) },
    { given: ['102', 'BOB'], condition: chosen(102, 103) },
    { given: 100, condition: undefined },
    { given: 'zoe', condition: malformed('zoe') },
    { given: 'a\0', condition: malformed('a\0') },
  ])('people: $given', async ({ given, condition }) => {
    expect(await assignee.criterion('contains', given)).toEqual(condition)
  })

  test.each([
    { given: 12, condition: chosen(12) },
    { given: '13', condition: chosen(13) },
    { given: '105_3', condition: chosen(12) },
    { given: '105_158', condition: chosen(13) },
    { given: '105_4', condition: ALWAYS_FALSE },
    { given: '106_3', condition: ALWAYS_FALSE },
    { given: 'Bug_Masters', condition: chosen(14) },
    { given: 'project_members', condition: chosen(12) },
    { given: 'Project members', condition: malformed('Project members') },
    { given: 'project_admins', condition: malformed('project_admins') },
  ])('groups: $given', async ({ given, condition }) => {
    expect(await team.criterion('contains', given)).toEqual(condition)
  })
})

describe('comparisons of a list', () => {
  test.each([
    { is: '=', literals: ['Open'], condition: chosen(301) },
    { is: '=', literals: ['oPEN'], condition: chosen(301) },
    { is: '=', literals: ['duplicate'], condition: chosen(304) },
    { is: '=', literals: [''], condition: negation(ANY) },
    { is: '!=', literals: ['Open'], condition: negation(chosen(301)) },
    { is: '!=', literals: [''], condition: ANY },
    { is: 'IN', literals: ['Open', 'In progress', 'open'], condition: chosen(301, 302) },
    { is: 'NOT IN', literals: ['Open', 'Closed'], condition: negation(chosen(301, 303)) },
    { is: 'IN', literals: ['Open', 'Nowhere'], condition: chosen(301) },
    { is: 'NOT IN', literals: ['Nowhere', 'Open'], condition: negation(chosen(301)) },
    { is: '=', literals: ['Nowhere'], condition: unknown('list_value', 'Nowhere') },
    { is: '!=', literals: ['301'], condition: unknown('list_value', '301') },
    { is: 'IN', literals: ['Nowhere', 'Never'], condition: unknown('list_value', 'Nowhere') },
    { is: 'NOT IN', literals: ['Nowhere'], condition: unknown('list_value', 'Nowhere') },
    { is: '=', literals: [MYSELF], condition: unknown('list_value', 'alice') },
  ] as const)('$is $literals', async ({ is, literals, condition }) => {
    expect(await status.compare(is, ...literals)).toEqual(condition)
  })

  test('a name matches all values that have it', async () => {
    const bind: StaticBind = { ...STATUS, values: [value(401, 'Same'), value(402, 'same'), value(403, 'sáme')] }
    expect(await oneSearch(checkBoxesField, { bind }).compare('=', 'SAME')).toEqual(chosen(401, 402))
  })

  test('a number can be a label, and so can the name of the current user', async () => {
    const bind: StaticBind = { ...STATUS, values: [value(401, '5'), value(402, 'Alice')] }
    const size = oneSearch(selectBoxField, { bind })
    expect(await size.compare('=', 5)).toEqual(chosen(401))
    expect(await size.compare('=', MYSELF)).toEqual(chosen(402))
  })

  test.each([
    { is: '=', literals: ['alice'], condition: chosen(102) },
    { is: 'IN', literals: ['ALICE', 'bob', 'zoe'], condition: chosen(102, 103) },
    { is: '!=', literals: [MYSELF], condition: negation(chosen(102)) },
    { is: 'NOT IN', literals: [MYSELF, 'bob'], condition: negation(chosen(102, 103)) },
    { is: '=', literals: [''], condition: negation(ANY) },
    { is: '=', literals: ['zoe'], condition: unknown('user', 'zoe') },
    { is: '=', literals: ['102'], condition: unknown('user', '102') },
    { is: '=', literals: ['bob\0'], condition: unknown('user', 'bob\0') },
  ] as const)('people: $is $literals', async ({ is, literals, condition }) => {
    expect(await assignee.compare(is, ...literals)).toEqual(condition)
  })

  test.each([
    { is: '=', literals: ['project_members'], condition: chosen(12) },
    { is: 'IN', literals: ['Team_Red', 'bug_masters'], condition: chosen(13, 14) },
    { is: '!=', literals: ['team_red'], condition: negation(chosen(13)) },
    { is: '=', literals: [''], condition: negation(ANY) },
    { is: '=', literals: ['Project members'], condition: unknown('list_value', 'Project members') },
    { is: '=', literals: ['project_admins'], condition: unknown('list_value', 'project_admins') },
  ] as const)('groups: $is $literals', async ({ is, literals, condition }) => {
    expect(await team.compare(is, ...literals)).toEqual(condition)
  })

  test.each(['IN', 'NOT IN'] as const)('the empty text means None among other values: %s', async (operator) => {
    const refusal = { reason: 'query_operator', cause: 'empty_string', params: { operator } }
    for (const field of [status, assignee, team]) {
      expect(await field.compare(operator, 'Open', '')).toEqual(refusal)
      expect(await field.compare(operator, '')).toEqual(refusal)
    }
  })

  test.each([NOW_LITERAL, OPEN])('$kind is not a list value', async (literal) => {
    const refusal = { reason: 'query_operator', cause: 'function' }
    for (const field of [status, assignee, team]) {
      expect(await field.compare('=', literal)).toMatchObject(refusal)
      expect(await field.compare('IN', 'Open', literal)).toMatchObject(refusal)
    }
  })

  test('MYSELF() is refused for an anonymous caller', async () => {
    const refusal = { reason: 'query_operator', cause: 'function', params: { value: 'MYSELF()' } }
    for (const bind of [STATUS, MEMBERS, TEAMS])
      expect(await oneSearch(selectBoxField, { bind }, ANONYMOUS_SEARCH).compare('=', MYSELF)).toEqual(refusal)
  })

  test('only these comparisons and operators are supported', () => {
    expect(selectBoxField.search?.comparisons).toEqual(['=', '!=', 'IN', 'NOT IN'])
    expect(selectBoxField.search?.operators).toEqual(['contains'])
  })
})

describe('an open list', () => {
  const tags = oneSearch(openListField, { bind: STATUS })
  const watchers = oneSearch(openListField, { bind: MEMBERS })
  const readers = oneSearch(openListField, { bind: TEAMS })

  test.each([
    { given: 301, condition: chosen(301) },
    { given: ['301', 'b302', 'o12'], condition: chosen(301, 302, -12) },
    { given: 'o99', condition: chosen(-99) },
    { given: 'b999', condition: chosen(999) },
    { given: 'o99999999999999999999', condition: ALWAYS_FALSE },
    { given: -12, condition: ALWAYS_FALSE },
    { given: [], condition: undefined },
    { given: 'urgent', condition: chosen(-12) },
    { given: 'open', condition: chosen(301) },
    { given: 'Nowhere', condition: malformed('Nowhere') },
  ])('is searched by criteria: $given', async ({ given, condition }) => {
    expect(await tags.criterion('contains', given)).toEqual(condition)
  })

  test.each([
    { is: '=', literals: ['Open'], condition: chosen(301) },
    { is: '!=', literals: ['URGENT'], condition: negation(chosen(-12)) },
    { is: 'IN', literals: ['urgent', 'closed', 'Nowhere'], condition: chosen(-12, 303) },
    { is: '=', literals: [''], condition: negation(ANY) },
    { is: '=', literals: ['Nowhere'], condition: unknown('list_value', 'Nowhere') },
    { is: '=', literals: ['a\0'], condition: unknown('list_value', 'a\0') },
  ] as const)('is compared by labels: $is $literals', async ({ is, literals, condition }) => {
    expect(await tags.compare(is, ...literals)).toEqual(condition)
  })

  test('of people accepts logins and ids', async () => {
    expect(await watchers.compare('IN', MYSELF, 'bob')).toEqual(chosen(102, 103))
    expect(await watchers.criterion('contains', ['b102', 103])).toEqual(chosen(102, 103))
    expect(await watchers.compare('=', 'urgent')).toEqual(unknown('user', 'urgent'))
  })

  test('of groups accepts any group of the project, by name or id', async () => {
    expect(await readers.compare('IN', 'project_admins', 'team_red')).toEqual(chosen(4, 158))
    expect(await readers.criterion('contains', ['105_4', '158', '105_77'])).toEqual(chosen(4, 158))
    expect(await readers.compare('=', 'Nobody')).toEqual(unknown('list_value', 'Nobody'))
  })
})

describe('lists are sorted', () => {
  test('by the rank of the value, as the field shows them', () => {
    expect(status.sortedBy()).toEqual({ kind: 'place', field: 111, ids: [301, 302, 303, 304] })
    const bind = { ...STATUS, alphabetical: true }
    expect(oneSearch(radioButtonsField, { bind }).sortedBy()).toEqual({
      kind: 'place',
      field: 111,
      ids: [303, 304, 302, 301],
    })
    expect(team.sortedBy()).toEqual({ kind: 'place', field: 111, ids: [12, 13, 14] })
  })

  test('by the login of a person', () => {
    const owner = oneSearch(selectBoxField, { bind: MEMBERS })
    expect(owner.sortedBy()).toEqual({ kind: 'login_of_chosen', field: 111 })
  })

  test('only if they hold a single value', () => {
    for (const type of [multiSelectBoxField, checkBoxesField, openListField])
      expect(oneSearch(type, { bind: STATUS }).sortedBy()).toBeUndefined()
  })
})

test('an unknown name is answered with the known names', () => {
  expect(labelsOf(status.field, ASKING)).toEqual(['Open', 'In progress', 'Closed', 'Duplicate'])
  expect(labelsOf(team.field, ASKING)).toEqual(['project_members', 'team_red', 'bug_masters'])
  expect(labelsOf(assignee.field, ASKING)).toEqual([])
  expect(labelsOf(oneSearch(openListField, { bind: TEAMS }).field, ASKING)).toEqual([
    'project_members',
    'project_admins',
    'svn_admins',
    'team_red',
    'bug_masters',
  ])
})
