import { describe, expect, test } from 'vitest'
import { SEARCHED_FIELD, MYSELF, NOW_LITERAL, oneSearch } from '../../../test/fixtures/one-search.ts'
import { durationField } from '../field-types/duration/duration-field.ts'
import { integerField } from '../field-types/integer/integer-field.ts'
import { familyOf } from './bind-names.ts'
import { type Condition, negation, type NumberRange } from './condition.ts'

const spent = oneSearch(durationField)
const minutes = (range: NumberRange = {}): Condition => ({
  kind: 'number',
  field: SEARCHED_FIELD,
  unit: 'number',
  ...range,
})

describe('criteria on a duration', () => {
  test.each([
    { value: '2h 30m', condition: minutes({ from: 150, to: 150 }) },
    { value: 150, condition: minutes({ from: 150, to: 150 }) },
    { value: '>=2h 30m', condition: minutes({ from: 150 }) },
    { value: '< 90', condition: minutes({ to: 90, isBefore: true }) },
    { value: '1h-2h 30m', condition: minutes({ from: 60, to: 150 }) },
    { value: '1h 15m - 90m', condition: minutes({ from: 75, to: 90 }) },
    { value: '', condition: undefined },
    { value: 'long', condition: undefined },
    { value: '/^1/', condition: undefined },
    { value: '1h-', condition: undefined },
    { value: '>', condition: undefined },
    { value: [90], condition: undefined },
  ])('$value', async ({ value, condition }) => {
    expect(await spent.criterion('contains', value)).toEqual(condition)
  })
})

describe('comparisons of a duration', () => {
  test.each([
    { is: '=', literals: ['2h 30m'], condition: minutes({ from: 150, to: 150 }) },
    { is: '=', literals: [''], condition: negation(minutes()) },
    { is: '!=', literals: ['2h'], condition: negation(minutes({ from: 120, to: 120 })) },
    { is: '<', literals: ['90m'], condition: minutes({ to: 90, isBefore: true }) },
    { is: '>', literals: [90], condition: minutes({ from: 90, isAfter: true }) },
    { is: 'BETWEEN', literals: ['1h', '2h 30m'], condition: minutes({ from: 60, to: 150 }) },
  ] as const)('$is $literals', async ({ is, literals, condition }) => {
    expect(await spent.compare(is, ...literals)).toEqual(condition)
  })

  test.each(['long', '1d', '1.5', '-1h'])('%j is no duration', async (value) => {
    const refusal = { reason: 'value_invalid', cause: 'duration', params: { value } }
    expect(await spent.compare('=', value)).toEqual(refusal)
    expect(await spent.compare('BETWEEN', '1h', value)).toEqual(refusal)
  })

  test.each([NOW_LITERAL, MYSELF])('a function is refused: $kind', async (literal) => {
    expect(await spent.compare('=', literal)).toMatchObject({ reason: 'query_operator', cause: 'function' })
  })
})

test('durations are sorted by length', () => {
  expect(spent.sortedBy()).toEqual({ kind: 'number', field: SEARCHED_FIELD, unit: 'number' })
})

test('a duration cannot be compared with a number of the same name in another tracker', () => {
  expect(familyOf(spent.field)).not.toBe(familyOf(oneSearch(integerField).field))
})
