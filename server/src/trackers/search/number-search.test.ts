import { describe, expect, test } from 'vitest'
import { SEARCHED_FIELD, MYSELF, NOW_LITERAL, oneSearch, OPEN } from '../../../test/fixtures/one-search.ts'
import { artifactIdField } from '../field-types/artifact-id/artifact-id-field.ts'
import { floatField } from '../field-types/float/float-field.ts'
import { integerField } from '../field-types/integer/integer-field.ts'
import { numberInTrackerField } from '../field-types/number-in-tracker/number-in-tracker-field.ts'
import { rankField } from '../field-types/rank/rank-field.ts'
import { type Condition, negation, type NumberRange } from './condition.ts'

const points = oneSearch(integerField)
const number = (range: NumberRange = {}): Condition => ({
  kind: 'number',
  field: SEARCHED_FIELD,
  unit: 'number',
  ...range,
})

describe('criteria on a number', () => {
  test.each([
    { value: 5, condition: number({ from: 5, to: 5 }) },
    { value: '5', condition: number({ from: 5, to: 5 }) },
    { value: ' 5 ', condition: number({ from: 5, to: 5 }) },
    { value: '-5', condition: number({ from: -5, to: -5 }) },
    { value: '1.5', condition: number({ from: 1.5, to: 1.5 }) },
    { value: '1e-5', condition: number({ from: 1e-5, to: 1e-5 }) },
    { value: '-0', condition: number({ from: 0, to: 0 }) },
    { value: '>=3', condition: number({ from: 3 }) },
    { value: '> 1', condition: number({ from: 1, isAfter: true }) },
    { value: '<10', condition: number({ to: 10, isBefore: true }) },
    { value: '<=2', condition: number({ to: 2 }) },
    { value: '>-2', condition: number({ from: -2, isAfter: true }) },
    { value: '1-5', condition: number({ from: 1, to: 5 }) },
    { value: '1 - 5', condition: number({ from: 1, to: 5 }) },
    { value: '-5--1', condition: number({ from: -5, to: -1 }) },
    { value: '-5-3', condition: number({ from: -5, to: 3 }) },
    { value: '0.5-1.5', condition: number({ from: 0.5, to: 1.5 }) },
    { value: '1e2-1e3', condition: number({ from: 100, to: 1000 }) },
    { value: '5-1', condition: number({ from: 5, to: 1 }) },
    { value: '/^1/', condition: { kind: 'number_pattern', field: 111, pattern: '^1' } },
    { value: '!/^1/', condition: undefined },
    { value: '', condition: undefined },
    { value: 'many', condition: undefined },
    { value: '=5', condition: undefined },
    { value: '1-', condition: undefined },
    { value: '1-5-7', condition: undefined },
    { value: '>', condition: undefined },
    { value: '1e999', condition: undefined },
    { value: [5], condition: undefined },
    { value: true, condition: undefined },
  ])('$value', async ({ value, condition }) => {
    expect(await points.criterion('contains', value)).toEqual(condition)
  })

  test('an invalid pattern is refused', async () => {
    const refusal = { reason: 'query_malformed', cause: 'regular_expression', position: 4 }
    expect(await points.criterion('contains', String.raw`/(1)\1/`)).toEqual(refusal)
  })
})

describe('comparisons of a number', () => {
  test.each([
    { is: '=', literals: [5], condition: number({ from: 5, to: 5 }) },
    { is: '=', literals: ['-5'], condition: number({ from: -5, to: -5 }) },
    { is: '=', literals: [-5], condition: number({ from: -5, to: -5 }) },
    { is: '=', literals: [''], condition: negation(number()) },
    { is: '!=', literals: [5], condition: negation(number({ from: 5, to: 5 })) },
    { is: '!=', literals: [''], condition: number() },
    { is: '<', literals: [1.5], condition: number({ to: 1.5, isBefore: true }) },
    { is: '<=', literals: ['1.5'], condition: number({ to: 1.5 }) },
    { is: '>', literals: [3], condition: number({ from: 3, isAfter: true }) },
    { is: '>=', literals: [3], condition: number({ from: 3 }) },
    { is: 'BETWEEN', literals: [3, 8], condition: number({ from: 3, to: 8 }) },
    { is: 'BETWEEN', literals: [8, '3'], condition: number({ from: 8, to: 3 }) },
  ] as const)('$is $literals', async ({ is, literals, condition }) => {
    expect(await points.compare(is, ...literals)).toEqual(condition)
    expect(await oneSearch(floatField).compare(is, ...literals)).toEqual(condition)
  })

  test.each(['<', '<=', '>', '>='] as const)('the empty text cannot be ordered: %s', async (operator) => {
    const refusal = { reason: 'query_operator', cause: 'empty_string', params: { operator } }
    expect(await points.compare(operator, '')).toEqual(refusal)
  })

  test('BETWEEN refuses the empty text', async () => {
    const refusal = { reason: 'query_operator', cause: 'empty_string', params: { operator: 'BETWEEN' } }
    expect(await points.compare('BETWEEN', 1, '')).toEqual(refusal)
  })

  test.each(['many', '1-5', ' 5', '1e999', '0x10', '٣'])('%j is not a number', async (value) => {
    const refusal = { reason: 'value_invalid', cause: 'number', params: { value } }
    expect(await points.compare('=', value)).toEqual(refusal)
    expect(await points.compare('BETWEEN', 1, value)).toEqual(refusal)
  })

  test.each([NOW_LITERAL, MYSELF, OPEN])('a function is refused for a number: $kind', async (literal) => {
    expect(await points.compare('=', literal)).toMatchObject({ reason: 'query_operator', cause: 'function' })
  })
})

describe('numeric metadata', () => {
  const id = oneSearch(artifactIdField)
  const fact = (range: NumberRange = {}) => ({ kind: 'fact', fact: 'id', ...range }) as const

  test.each([
    { value: 12, condition: fact({ from: 12, to: 12 }) },
    { value: '>12', condition: fact({ from: 13 }) },
    { value: '<12', condition: fact({ to: 11 }) },
    { value: '1.5', condition: fact({ from: 2, to: 1 }) },
    { value: '>1.5', condition: fact({ from: 2 }) },
    { value: '<-1.5', condition: fact({ to: -2 }) },
    { value: '>=1e300', condition: fact({ from: Number.MAX_SAFE_INTEGER }) },
    { value: '-0.5-0.5', condition: fact({ from: 0, to: 0 }) },
    { value: '/^1/', condition: { kind: 'fact_pattern', fact: 'id', pattern: '^1' } },
    { value: 'twelve', condition: undefined },
  ])('is an integer: $value', async ({ value, condition }) => {
    expect(await id.criterion('contains', value)).toEqual(condition)
  })

  test('can be compared, and is never empty', async () => {
    expect(await id.compare('BETWEEN', 3, 8)).toEqual(fact({ from: 3, to: 8 }))
    expect(await id.compare('!=', 3)).toEqual(negation(fact({ from: 3, to: 3 })))
    expect(await id.compare('=', '')).toEqual(negation(fact()))
    expect(await oneSearch(numberInTrackerField).compare('<', 3)).toEqual({ kind: 'fact', fact: 'number', to: 2 })
  })

  test('the rank supports criteria, but not comparisons', async () => {
    expect(await oneSearch(rankField).criterion('contains', 3)).toEqual({ kind: 'fact', fact: 'rank', from: 3, to: 3 })
    expect(rankField.search).not.toHaveProperty('compare')
    expect(rankField.search).not.toHaveProperty('comparisons')
  })
})

test('numbers are sorted by', () => {
  expect(points.sortedBy()).toEqual({ kind: 'number', field: 111, unit: 'number' })
  expect(oneSearch(artifactIdField).sortedBy()).toEqual({ kind: 'fact', fact: 'id' })
  expect(oneSearch(numberInTrackerField).sortedBy()).toEqual({ kind: 'fact', fact: 'number' })
  expect(oneSearch(rankField).sortedBy()).toEqual({ kind: 'fact', fact: 'rank' })
})
