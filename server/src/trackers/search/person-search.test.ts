import { describe, expect, test } from 'vitest'
import { ANONYMOUS_SEARCH, MYSELF, NOW_LITERAL, oneSearch, OPEN } from '../../../test/fixtures/one-search.ts'
import { lastUpdaterField } from '../field-types/last-updater/last-updater-field.ts'
import { submitterField } from '../field-types/submitter/submitter-field.ts'
import { negation, ALWAYS_FALSE } from './condition.ts'

const submitter = oneSearch(submitterField)
const by = (...ids: number[]) => ({ kind: 'person', fact: 'submitted_by', ids }) as const

describe('the submitter of an artifact', () => {
  test.each([
    { given: 102, condition: by(102) },
    { given: ['102', 'Bob', 102], condition: by(102, 103) },
    { given: [100, 103], condition: by(103) },
    { given: 100, condition: undefined },
    { given: [], condition: undefined },
    { given: 999, condition: by(999) },
    { given: -1, condition: ALWAYS_FALSE },
    { given: 'zoe', condition: { reason: 'value_invalid', cause: 'list_value', params: { value: 'zoe' } } },
  ])('is found by criteria: $given', async ({ given, condition }) => {
    expect(await submitter.criterion('contains', given)).toEqual(condition)
  })

  test.each([
    { is: '=', literals: ['alice'], condition: by(102) },
    { is: '=', literals: [MYSELF], condition: by(102) },
    { is: '!=', literals: ['BOB'], condition: negation(by(103)) },
    { is: 'IN', literals: ['alice', 'bob', 'zoe'], condition: by(102, 103) },
    { is: 'NOT IN', literals: [MYSELF, 'bob'], condition: negation(by(102, 103)) },
  ] as const)('is compared: $is $literals', async ({ is, literals, condition }) => {
    expect(await submitter.compare(is, ...literals)).toEqual(condition)
  })

  test.each(['=', '!=', 'IN', 'NOT IN'] as const)('must be a known account: %s', async (operator) => {
    const unknown = { reason: 'reference_unknown', cause: 'user', params: { value: 'zoe' } }
    expect(await submitter.compare(operator, 'zoe')).toEqual(unknown)
    const empty = { reason: 'query_operator', cause: 'empty_string', params: { operator } }
    expect(await submitter.compare(operator, '')).toEqual(empty)
  })

  test.each([NOW_LITERAL, OPEN])('is not $kind', async (literal) => {
    expect(await submitter.compare('=', literal)).toMatchObject({ reason: 'query_operator', cause: 'function' })
  })

  test('cannot be MYSELF() for an anonymous caller', async () => {
    const refusal = { reason: 'query_operator', cause: 'function', params: { value: 'MYSELF()' } }
    expect(await oneSearch(submitterField, {}, ANONYMOUS_SEARCH).compare('=', MYSELF)).toEqual(refusal)
  })
})

test('the last updater is a separate value', async () => {
  const updater = oneSearch(lastUpdaterField)
  expect(await updater.compare('=', 'bob')).toEqual({ kind: 'person', fact: 'last_update_by', ids: [103] })
  expect(updater.sortedBy()).toEqual({ kind: 'login', fact: 'last_update_by' })
  expect(submitter.sortedBy()).toEqual({ kind: 'login', fact: 'submitted_by' })
})
