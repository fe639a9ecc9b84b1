import { describe, expect, test } from 'vitest'
import { SEARCHED_FIELD, MYSELF, NOW_LITERAL, oneSearch, OPEN } from '../../../test/fixtures/one-search.ts'
import { stringField } from '../field-types/string/string-field.ts'
import { textField } from '../field-types/text/text-field.ts'
import { conjunction, type Condition, negation, ALWAYS_FALSE, type TextTest } from './condition.ts'

const summary = oneSearch(stringField)
const text = (asked: TextTest): Condition => ({ kind: 'text', field: { id: SEARCHED_FIELD }, ...asked })

describe('criteria on a text', () => {
  test.each([
    { value: 'engine', condition: text({ contains: 'engine' }) },
    { value: 5, condition: text({ contains: '5' }) },
    { value: ' engine\t stop\n', condition: conjunction(text({ contains: 'engine' }), text({ contains: 'stop' })) },
    { value: 'stop stop', condition: text({ contains: 'stop' }) },
    { value: '100%_', condition: text({ contains: '100%_' }) },
    { value: '/engine stops?/', condition: text({ pattern: 'engine stops?' }) },
    { value: '!/engine/', condition: negation(text({ pattern: 'engine' })) },
    { value: '/a\nb/', condition: text({ pattern: 'a\nb' }) },
    { value: '/', condition: text({ contains: '/' }) },
    { value: '//', condition: text({ contains: '//' }) },
    { value: '!engine', condition: text({ contains: '!engine' }) },
    { value: 'a\0b', condition: ALWAYS_FALSE },
    { value: '', condition: undefined },
    { value: ' \t', condition: undefined },
    { value: ['engine'], condition: undefined },
    { value: true, condition: undefined },
  ])('$value', async ({ value, condition }) => {
    expect(await summary.criterion('contains', value)).toEqual(condition)
  })

  test.each([
    { value: '/a(?=b)/', position: 2 },
    { value: '!/a(?=b)/', position: 3 },
    { value: `/${'a'.repeat(201)}/`, position: 201 },
  ])('an invalid pattern is refused with its position: $position', async ({ value, position }) => {
    const refusal = { reason: 'query_malformed', cause: 'regular_expression', position }
    expect(await summary.criterion('contains', value)).toEqual(refusal)
  })
})

describe('comparisons of a text', () => {
  test.each([
    { is: '=', literal: 'engine stops', condition: text({ contains: 'engine stops' }) },
    { is: '=', literal: ' ', condition: text({ contains: ' ' }) },
    { is: '=', literal: 5, condition: text({ contains: '5' }) },
    { is: '=', literal: '/re/', condition: text({ contains: '/re/' }) },
    { is: '=', literal: '', condition: negation(text({ isThere: true })) },
    { is: '=', literal: 'a\0', condition: ALWAYS_FALSE },
    { is: '!=', literal: 'engine', condition: negation(text({ contains: 'engine' })) },
    { is: '!=', literal: '', condition: text({ isThere: true }) },
    { is: '!=', literal: 'a\0', condition: negation(ALWAYS_FALSE) },
  ] as const)('$is $literal', async ({ is, literal, condition }) => {
    expect(await summary.compare(is, literal)).toEqual(condition)
  })

  test.each([
    { literal: NOW_LITERAL, value: 'NOW()' },
    { literal: MYSELF, value: 'MYSELF()' },
    { literal: OPEN, value: 'OPEN()' },
  ])('$value is refused for a text', async ({ literal, value }) => {
    const refusal = { reason: 'query_operator', cause: 'function', params: { value } }
    expect(await summary.compare('=', literal)).toEqual(refusal)
  })

  test('only these two comparisons are supported', () => {
    expect(stringField.search?.comparisons).toEqual(['=', '!='])
    expect(stringField.search?.operators).toEqual(['contains'])
  })
})

test('a multi-line text is stored in a member of the value', async () => {
  const details = oneSearch(textField)
  const field = { id: 111, member: 'content' }
  expect(await details.criterion('contains', 'engine')).toEqual({ kind: 'text', field, contains: 'engine' })
  expect(await details.compare('!=', '')).toEqual({ kind: 'text', field, isThere: true })
  expect(details.sortedBy()).toEqual({ kind: 'text', field })
})

test('texts are sorted by', () => {
  expect(summary.sortedBy()).toEqual({ kind: 'text', field: { id: 111 } })
})
