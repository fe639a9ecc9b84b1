import { describe, expect, test } from 'vitest'
import { joinOrder, splitOrder, cycleOrder } from './order.ts'
import { addTerm, splitTerms } from './terms.ts'
import { quoted, tokenize } from './tokens.ts'

describe('the tokens of a query', () => {
  test('are names, strings with escapes, numbers and operators', () => {
    const texts = tokenize(String.raw`@status!=OPEN() AND note = "a \" b" AND points>=-3.5`).map(({ text }) => text)

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
    expect(tokenize(text)).toMatchObject([{ kind: 'text', isOpen }])
  })

  test('quote text from a person', () => {
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

  test('cycles through ascending, descending and none', () => {
    const up = cycleOrder('status = "Open" ORDER BY due', 'summary')
    const down = cycleOrder(up, 'summary')

    expect(up).toBe('status = "Open" ORDER BY summary')
    expect(down).toBe('status = "Open" ORDER BY summary DESC')
    expect(cycleOrder(down, 'summary')).toBe('status = "Open"')
  })
})

describe('the conditions of a query', () => {
  test('are split where AND joins them', () => {
    expect(splitTerms('status = "a AND b" AND (x = 1 OR y = 2) AND due BETWEEN("1", "2")')).toEqual([
      'status = "a AND b"',
      '(x = 1 OR y = 2)',
      'due BETWEEN("1", "2")',
    ])
    expect(splitTerms('')).toEqual([])
    expect(splitTerms('a = 1 OR b = 2')).toBeUndefined()
    expect(splitTerms('a = 1 AS OF "2026-01-01"')).toBeUndefined()
  })

  test('get another one, whatever their form', () => {
    expect(addTerm('', 'a = 1')).toBe('a = 1')
    expect(addTerm('a = 1', 'b = 2')).toBe('a = 1 AND b = 2')
    expect(addTerm('a = 1 OR b = 2', 'c = 3')).toBe('(a = 1 OR b = 2) AND c = 3')
    expect(addTerm('a = 1 OR b = 2 AS OF "2026-02-01"', 'c = 3')).toBe('(a = 1 OR b = 2) AND c = 3 AS OF "2026-02-01"')
    expect(addTerm('AS OF "2026-02-01"', 'c = 3')).toBe('c = 3 AS OF "2026-02-01"')
  })
})
