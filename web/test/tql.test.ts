import { describe, expect, test } from 'vitest'
import { joinOrder, splitOrder, turnOrder } from '../src/trackers/tql/order.ts'
import { addTerm, termsOf } from '../src/trackers/tql/terms.ts'
import { quoted, tokensOf } from '../src/trackers/tql/tokens.ts'

describe('the words of a query', () => {
  test('are names, texts with what they escape, numbers and signs', () => {
    const texts = tokensOf(String.raw`@status!=OPEN() AND note = "a \" b" AND points>=-3.5`).map(({ text }) => text)

    expect(texts).toEqual([
      '@status',
      '!=',
      'OPEN',
      '(',
      ')',
      'AND',
      'note',
      '=',
      String.raw`"a \" b"`,
      'AND',
      'points',
      '>=',
      '-3.5',
    ])
  })

  test.each([
    ['"', true],
    ['"a', true],
    [String.raw`"a\"`, true],
    ['"a"', false],
    [String.raw`"a\\"`, false],
  ])('know whether the text %s has an end', (text, isOpen) => {
    expect(tokensOf(text)).toMatchObject([{ kind: 'text', isOpen }])
  })

  test('quote what a person has written', () => {
    expect(quoted(String.raw`a "b" \c`)).toBe(String.raw`"a \"b\" \\c"`)
  })
})

describe('the order of a query', () => {
  test.each([
    ['status = "Open" ORDER BY due DESC, @id', 'status = "Open"', ['due desc', '@id']],
    ['order by summary asc', '', ['summary']],
    ['note = "ORDER BY due"', 'note = "ORDER BY due"', []],
  ])('of %s is found', (query, where, keys) => {
    const found = splitOrder(query)

    expect(found.where).toBe(where)
    expect(found.order.map(({ name, isDescending }) => (isDescending ? `${name} desc` : name))).toEqual(keys)
    expect(splitOrder(joinOrder(found))).toEqual(found)
  })

  test('turns upwards, downwards, and goes', () => {
    const up = turnOrder('status = "Open" ORDER BY due', 'summary')
    const down = turnOrder(up, 'summary')

    expect(up).toBe('status = "Open" ORDER BY summary')
    expect(down).toBe('status = "Open" ORDER BY summary DESC')
    expect(turnOrder(down, 'summary')).toBe('status = "Open"')
  })
})

describe('the conditions of a query', () => {
  test('are told apart where all have to hold', () => {
    expect(termsOf('status = "a AND b" AND (x = 1 OR y = 2) AND due BETWEEN("1", "2")')).toEqual([
      'status = "a AND b"',
      '(x = 1 OR y = 2)',
      'due BETWEEN("1", "2")',
    ])
    expect(termsOf('')).toEqual([])
    expect(termsOf('a = 1 OR b = 2')).toBeUndefined()
    expect(termsOf('a = 1 AS OF "2026-01-01"')).toBeUndefined()
  })

  test('become one more, whatever their form', () => {
    expect(addTerm('', 'a = 1')).toBe('a = 1')
    expect(addTerm('a = 1', 'b = 2')).toBe('a = 1 AND b = 2')
    expect(addTerm('a = 1 OR b = 2', 'c = 3')).toBe('(a = 1 OR b = 2) AND c = 3')
  })
})
