import { describe, expect, test } from 'vitest'
import { ANONYMOUS, MYSELF, NOW, oneSearch, OPEN } from '../../../test/one-search.ts'
import { lastUpdaterField } from '../fields/last-updater.ts'
import { submitterField } from '../fields/submitter.ts'
import { not, NOTHING } from './condition.ts'

const submitter = oneSearch(submitterField)
const by = (...ids: number[]) => ({ kind: 'person', fact: 'submitted_by', ids }) as const

describe('who has submitted an artifact', () => {
  test.each([
    { given: 102, condition: by(102) },
    { given: ['102', 'Bob', 102], condition: by(102, 103) },
    { given: [100, 103], condition: by(103) },
    { given: 100, condition: undefined },
    { given: [], condition: undefined },
    { given: 999, condition: by(999) },
    { given: -1, condition: NOTHING },
    { given: 'zoe', condition: { reason: 'value_invalid', cause: 'list_value', params: { value: 'zoe' } } },
  ])('is found by criteria: $given', async ({ given, condition }) => {
    expect(await submitter.criterion('contains', given)).toEqual(condition)
  })

  test.each([
    { is: '=', literals: ['alice'], condition: by(102) },
    { is: '=', literals: [MYSELF], condition: by(102) },
    { is: '!=', literals: ['BOB'], condition: not(by(103)) },
    { is: 'IN', literals: ['alice', 'bob', 'zoe'], condition: by(102, 103) },
    { is: 'NOT IN', literals: [MYSELF, 'bob'], condition: not(by(102, 103)) },
  ] as const)('is compared: $is $literals', async ({ is, literals, condition }) => {
    expect(await submitter.compare(is, ...literals)).toEqual(condition)
  })

  test.each(['=', '!=', 'IN', 'NOT IN'] as const)('must be somebody who is known: %s', async (operator) => {
    const unknown = { reason: 'reference_unknown', cause: 'user', params: { value: 'zoe' } }
    expect(await submitter.compare(operator, 'zoe')).toEqual(unknown)
    const empty = { reason: 'query_operator', cause: 'empty_string', params: { operator } }
    expect(await submitter.compare(operator, '')).toEqual(empty)
  })

  test.each([NOW, OPEN])('is not $kind', async (literal) => {
    expect(await submitter.compare('=', literal)).toMatchObject({ reason: 'query_operator', cause: 'function' })
  })

  test('is not the one who asks, if he is not signed in', async () => {
    const refusal = { reason: 'query_operator', cause: 'function', params: { value: 'MYSELF()' } }
    expect(await oneSearch(submitterField, {}, ANONYMOUS).compare('=', MYSELF)).toEqual(refusal)
  })
})

test('who has changed it last is another', async () => {
  const updater = oneSearch(lastUpdaterField)
  expect(await updater.compare('=', 'bob')).toEqual({ kind: 'person', fact: 'last_update_by', ids: [103] })
  expect(updater.sortedBy()).toEqual({ kind: 'login', fact: 'last_update_by' })
  expect(submitter.sortedBy()).toEqual({ kind: 'login', fact: 'submitted_by' })
})
