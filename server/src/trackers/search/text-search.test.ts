import { describe, expect, test } from 'vitest'
import { FIELD, MYSELF, NOW, oneSearch, OPEN } from '../../../test/one-search.ts'
import { stringField } from '../fields/string.ts'
import { textField } from '../fields/text.ts'
import { both, type Condition, not, NOTHING, type TextTest } from './condition.ts'

const summary = oneSearch(stringField)
const text = (asked: TextTest): Condition => ({ kind: 'text', field: { id: FIELD }, ...asked })

describe('criteria on a text', () => {
  test.each([
    { value: 'engine', condition: text({ contains: 'engine' }) },
    { value: 5, condition: text({ contains: '5' }) },
    { value: ' engine\t stop\n', condition: both(text({ contains: 'engine' }), text({ contains: 'stop' })) },
    { value: 'stop stop', condition: text({ contains: 'stop' }) },
    { value: '100%_', condition: text({ contains: '100%_' }) },
    { value: '/engine stops?/', condition: text({ pattern: 'engine stops?' }) },
    { value: '!/engine/', condition: not(text({ pattern: 'engine' })) },
    { value: '/a\nb/', condition: text({ pattern: 'a\nb' }) },
    { value: '/', condition: text({ contains: '/' }) },
    { value: '//', condition: text({ contains: '//' }) },
    { value: '!engine', condition: text({ contains: '!engine' }) },
    { value: 'a\0b', condition: NOTHING },
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
  ])('a pattern that cannot be used is refused where it stands: $position', async ({ value, position }) => {
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
    { is: '=', literal: '', condition: not(text({ isThere: true })) },
    { is: '=', literal: 'a\0', condition: NOTHING },
    { is: '!=', literal: 'engine', condition: not(text({ contains: 'engine' })) },
    { is: '!=', literal: '', condition: text({ isThere: true }) },
    { is: '!=', literal: 'a\0', condition: not(NOTHING) },
  ] as const)('$is $literal', async ({ is, literal, condition }) => {
    expect(await summary.compare(is, literal)).toEqual(condition)
  })

  test.each([
    { literal: NOW, value: 'NOW()' },
    { literal: MYSELF, value: 'MYSELF()' },
    { literal: OPEN, value: 'OPEN()' },
  ])('$value says nothing about a text', async ({ literal, value }) => {
    const refusal = { reason: 'query_operator', cause: 'function', params: { value } }
    expect(await summary.compare('=', literal)).toEqual(refusal)
  })

  test('only these two are known', () => {
    expect(stringField.search?.comparisons).toEqual(['=', '!='])
    expect(stringField.search?.operators).toEqual(['contains'])
  })
})

test('a text of several lines stands in a member of what is stored', async () => {
  const details = oneSearch(textField)
  const field = { id: 111, member: 'content' }
  expect(await details.criterion('contains', 'engine')).toEqual({ kind: 'text', field, contains: 'engine' })
  expect(await details.compare('!=', '')).toEqual({ kind: 'text', field, isThere: true })
  expect(details.sortedBy()).toEqual({ kind: 'text', field })
})

test('texts are sorted by', () => {
  expect(summary.sortedBy()).toEqual({ kind: 'text', field: { id: 111 } })
})
