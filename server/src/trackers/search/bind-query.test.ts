import { describe, expect, test } from 'vitest'
import { TOM, UMA } from '../../../test/fixtures/people.ts'
import {
  plots,
  ONE_TRACKER_SCOPE,
  bindText,
  conditionOf,
  queryProblems,
  queryRefusal,
  expectedTextCondition,
  expectedChosenCondition,
  EVERYTHING_CONDITION,
} from '../../../test/fixtures/plots-and-trees.ts'
import { ANONYMOUS_QUERY_VIEWER, testQueryScope, testTrackerAccess } from '../../../test/fixtures/query-scope.ts'
import { errorBody } from '../../platform/messages/errors.ts'
import type { QueryScope } from './bind-scope.ts'
import { readQuery, readTrackerQuery } from './read-query.ts'

const messageOf = async (text: string) => errorBody(await queryRefusal(text), '').error.i18n_error_message

describe('a query of one tracker', () => {
  test.each([
    ['', EVERYTHING_CONDITION],
    ['status = "open"', expectedChosenCondition(8003, 8100)],
    ['status NOT IN ("Fixed", "Closed", "fixed")', { kind: 'not', of: expectedChosenCondition(8003, 8101, 8102) }],
    [
      'summary = "x" AND points > 3',
      {
        kind: 'all',
        of: [expectedTextCondition('x', 8001), { kind: 'number', field: 8005, unit: 'number', from: 3, isAfter: true }],
      },
    ],
    [
      'summary = "x" OR NOT (team = MYSELF())',
      {
        kind: 'any',
        of: [expectedTextCondition('x', 8001), { kind: 'not', of: expectedChosenCondition(8004, TOM.id) }],
      },
    ],
    ['links = 12', { kind: 'link', direction: 'forward', ends: [12] }],
    ['number = 12', { kind: 'fact', fact: 'id', from: 12, to: 12 }],
  ])('%s becomes the conditions of its fields', async (text, condition) => {
    expect(await conditionOf(text)).toEqual(condition)
  })

  test('reports its fields, its terms, and warnings', async () => {
    const bound = await bindText(
      'summary = "x" AND (status = "Open" OR WITH CHILDREN WHERE (name = "y")) ORDER BY points',
    )
    expect(bound.fields.map(({ id }) => id)).toEqual([8001, 8003, 8300, 8005])
    expect(bound).toMatchObject({ terms: 4, warnings: ['= on text means contains'] })
    expect((await bindText('status = "Open" AND summary != "x"')).warnings).toEqual([])
  })

  test('looks up each person once', async () => {
    const asked: string[] = []
    const searchContextFor: QueryScope['searchContextFor'] = (tracker) => ({
      ...ONE_TRACKER_SCOPE.searchContextFor(tracker),
      findUser: async (login) => (asked.push(login), UMA.id),
    })
    await bindText('team IN ("uma", "uma") OR @submitted_by = "uma" OR WITH CHILDREN WHERE (@submitted_by = "uma")', {
      ...ONE_TRACKER_SCOPE,
      searchContextFor: searchContextFor,
    })
    expect(asked).toEqual(['uma'])
  })
})

describe('a refusal', () => {
  test.each([
    [
      'statsu = 1',
      { reason: 'query_unknown_key', cause: 'field', position: 0, params: { name: 'statsu', did_you_mean: 'status' } },
    ],
    ['budget = 1', { reason: 'query_unknown_key', cause: 'field', params: { name: 'budget' } }],
    ['old = "x"', { reason: 'query_unknown_key', cause: 'field' }],
    ['main = "x"', { reason: 'query_unknown_key', cause: 'field' }],
    ['title = "x"', { params: { did_you_mean: '@title' } }],
    [
      'status < "Open"',
      {
        reason: 'query_operator',
        cause: 'operator',
        position: 7,
        allowed: ['=', '!=', 'IN', 'NOT IN'],
        params: { operator: '<' },
        field_id: 8003,
      },
    ],
    [
      'status = "Opn"',
      {
        reason: 'reference_unknown',
        cause: 'list_value',
        position: 9,
        params: { value: 'Opn', did_you_mean: 'Open' },
        name: 'status',
      },
    ],
    ['status IN ("x", "y")', { reason: 'reference_unknown', cause: 'list_value', position: 11 }],
    ['status IN ("Open", "")', { reason: 'query_operator', cause: 'empty_string', position: 19 }],
    ['status = OPEN()', { reason: 'query_operator', cause: 'function', position: 9, params: { value: 'OPEN()' } }],
    ['points BETWEEN (1, "x")', { reason: 'value_invalid', cause: 'number', position: 19, params: { value: 'x' } }],
    ['points = NOW()', { reason: 'query_operator', cause: 'function', position: 9 }],
    ['due > "tomorrow"', { reason: 'value_invalid', cause: 'date', position: 6 }],
    ['sum = 1', { reason: 'query_operator', cause: 'field_type', position: 0, name: 'sum' }],
    ['WITHOUT CHILDREN TRACKER != "tree"', { reason: 'query_malformed', cause: 'double_negative', position: 17 }],
    ['IS NOT LINKED TO TRACKER != "tree"', { reason: 'query_malformed', cause: 'double_negative', position: 17 }],
    [
      'IS LINKED TO WITH TYPE "block"',
      {
        reason: 'reference_unknown',
        cause: 'link_type',
        position: 23,
        params: { value: 'block', did_you_mean: 'blocks' },
      },
    ],
  ])('of %s reports the problem and its position', async (text, problem) => {
    const error = await queryRefusal(text)
    expect(error.details?.all).toMatchObject([{ ...problem, path: 'expert_query' }])
    expect(error).toMatchObject({ status: 400, reason: error.details?.all?.[0]?.reason })
  })

  test('is worded for people', async () => {
    expect(await messageOf('status = "Opn"')).toBe('Unknown value "Opn" for status at column 10; did you mean "Open"?')
    expect(await messageOf('statsu = "Open"')).toBe('There is no field `statsu` at column 1; did you mean "status"?')
    expect(await messageOf('due = "x"')).toBe(
      'Due (due): "x" is no date that can be used here at column 7; expected YYYY-MM-DD / YYYY-MM-DD hh:mm, such as 2026-03-01.',
    )
    expect(await messageOf('@id IN (1)')).toBe(
      '@id cannot be searched by IN at column 5: =, !=, <, <=, >, >=, BETWEEN.',
    )
  })

  test('reports every problem at once, in text order', async () => {
    const error = await queryRefusal(
      'nowhere = 1 AND (status = "x" OR WITH CHILDREN WHERE (elsewhere = 2)) AS OF "x" ORDER BY team, unheard',
    )
    expect(error.reason).toBe('query_unknown_key')
    expect(error.details?.all).toMatchObject([
      { cause: 'field', params: { name: 'nowhere' } },
      { cause: 'list_value' },
      { cause: 'field', params: { name: 'elsewhere' } },
      { cause: 'date', params: { value: 'x' } },
      { cause: 'field_type', name: 'team' },
      { cause: 'field', params: { name: 'unheard' } },
    ])
  })

  test('names only fields that the viewer may read', async () => {
    const error = await queryRefusal('budgets = 1')
    expect(JSON.stringify(error.details)).not.toContain('"budget"')
    expect(error.details?.allowed).toContain('points')
  })

  test('of MYSELF() is returned to anonymous callers', async () => {
    const scope = testQueryScope([testTrackerAccess(plots, [1, 2], ANONYMOUS_QUERY_VIEWER)])
    expect(await queryProblems('team = MYSELF()', scope)).toMatchObject([
      { reason: 'query_operator', cause: 'function' },
    ])
  })

  test('for too many terms or values comes before any lookup', async () => {
    const scope = { ...ONE_TRACKER_SCOPE, mostTerms: 2, linkTypes: () => Promise.reject(new Error('asked')) }
    const text = 'WITH PARENT OR IS LINKED TO WITH TYPE "x" OR nowhere = 1'
    expect(await queryProblems(text, scope)).toMatchObject([
      { reason: 'parameter_out_of_range', cause: 'too_complex', allowed: { maximum: 2 } },
    ])
    const many = Array.from({ length: 1001 }, (_, at) => `"${at}"`).join(',')
    expect(await queryProblems(`WITH CHILDREN WHERE (status IN (${many}))`)).toMatchObject([{ cause: 'too_complex' }])
  })

  test('is returned for a text that cannot be parsed', () => {
    const caught = (read: () => unknown) => {
      try {
        return read()
      } catch (error) {
        return error
      }
    }
    expect(caught(() => readQuery('a =', 'q'))).toMatchObject({
      reason: 'query_malformed',
      details: { path: 'q', cause: 'syntax', position: 3, all: [{ cause: 'syntax' }] },
    })
    expect(caught(() => readQuery('('.repeat(65), 'q'))).toMatchObject({
      reason: 'parameter_out_of_range',
      details: { cause: 'too_deep', rule: 'maximum', allowed: { maximum: 64 }, position: 64 },
    })
    for (const text of ['SELECT a FROM @project = "x" WHERE a = 1', ' explain select nonsense'])
      expect(caught(() => readTrackerQuery(text, 'q'))).toMatchObject({ details: { cause: 'select_not_supported' } })
    expect(readTrackerQuery('SELECT = 1', 'q')).toMatchObject({ terms: 1 })
  })
})
