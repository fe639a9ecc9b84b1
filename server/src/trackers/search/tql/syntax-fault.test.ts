import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseQuery } from './parse-query.ts'
import { SyntaxFault } from './syntax-fault.ts'

const TERM = ['NOT', '(', 'WITH', 'WITHOUT', 'IS', 'field', '@name']
const COMPARATORS = ['=', '!=', '<=', '>=', '<', '>', 'BETWEEN', 'IN', 'NOT IN']
const LITERAL = ['string', 'number', 'NOW()', 'MYSELF()', 'OPEN()']
const AFTER_TERM = ['AND', 'OR', 'AS OF', 'ORDER BY', 'end']
const NARROWED = ['ARTIFACT', 'TRACKER', 'WHERE']

function faultOf(text: string): Pick<SyntaxFault, 'problem' | 'position' | 'expected'> | undefined {
  try {
    parseQuery(text)
    return undefined
  } catch (fault) {
    if (fault instanceof SyntaxFault) return fault
    throw fault
  }
}

describe('a text that cannot be parsed', () => {
  test.each<[text: string, position: number, expected: readonly string[]]>([
    ['(', 1, TERM],
    ['()', 1, TERM],
    ['=', 0, ['EXPLAIN', 'SELECT', ...TERM]],
    ['$a = 1', 0, ['EXPLAIN', 'SELECT', ...TERM]],
    ['a', 1, COMPARATORS],
    ['a b', 2, COMPARATORS],
    ['a ! 1', 2, COMPARATORS],
    ['a =', 3, LITERAL],
    ['a = b', 4, LITERAL],
    ['a = NOW', 4, LITERAL],
    ['a = MYSELF(1)', 4, LITERAL],
    ['a = +5', 4, LITERAL],
    ['a = - 5', 4, LITERAL],
    ['a = 1 b', 6, AFTER_TERM],
    ['a = 1.', 5, AFTER_TERM],
    ['a = 1)', 5, AFTER_TERM],
    ['(a = 1', 6, ['AND', 'OR', ')']],
    ['a = 1 AND', 9, TERM],
    ['a = 1 OR ORDER BY b', 15, COMPARATORS],
    ['a BETWEEN 1', 10, ['(']],
    ['a BETWEEN (1)', 12, [',']],
    ['a BETWEEN (1, 2, 3)', 15, [')']],
    ['a IN 1', 5, ['(']],
    ['a IN ()', 6, LITERAL],
    ['a IN (1 2)', 8, [',', ')']],
    ['a IN (1,,)', 8, LITERAL],
    ['a NOT (1)', 2, COMPARATORS],
    ['NOT a = 1', 4, ['(']],
    ['a = NOW() 1', 10, ['+', '-', ...AFTER_TERM]],
    ['a = NOW() - 1', 12, ['period, such as 1d, 2w, 3m, 4y']],
    ['a = NOW() - 1 d', 12, ['period, such as 1d, 2w, 3m, 4y']],
    ['a = NOW() - 1min', 12, ['period, such as 1d, 2w, 3m, 4y']],
    ['a = "x', 6, ['"']],
    [`a = 'x"`, 7, ["'"]],
    ['a = "x\ny"', 6, ['"']],
    ['a = "x\0y"', 6, ['"']],
    [String.raw`a = "\n\a" $`, 7, ['escape']],
    [String.raw`a = "\0" $`, 5, ['escape']],
    [String.raw`a = "\u0" $`, 5, ['escape']],
    [String.raw`a = "\u110000" $`, 5, ['escape']],
    ['a = "\\\0"', 5, ['escape']],
    [String.raw`a = "\ud83d" $`, 4, ['string']],
    ['a = "\ud83d"', 4, ['string']],
    ['a = "\\', 5, ['escape']],
    ['WITH', 4, ['ALL', 'PARENT', 'CHILDREN', 'CHILD']],
    ['WITHOUT ALL CHILDREN WHERE (a = 1)', 8, ['PARENT', 'CHILDREN', 'CHILD']],
    ['WITH PARENT b', 12, [...NARROWED, ...AFTER_TERM]],
    ['WITH PARENT WITH TYPE "x"', 12, [...NARROWED, ...AFTER_TERM]],
    ['WITH PARENT ARTIFACT 5', 21, ['IN', '=']],
    ['WITH PARENT ARTIFACT = "5"', 23, ['integer']],
    ['WITH PARENT ARTIFACT IN (1,)', 27, ['integer']],
    ['WITH PARENT TRACKER "x"', 20, ['!=', '=']],
    ['WITH PARENT TRACKER = x', 22, ['string']],
    ['WITH CHILDREN WHERE a = 1', 20, ['(']],
    ['WITH CHILDREN WHERE ()', 21, TERM],
    ['WITH ALL PARENT', 9, ['CHILDREN', 'LINKS']],
    ['WITH ALL LINKS', 14, ['FROM', 'TO']],
    ['WITH ALL CHILDREN', 17, ['WHERE']],
    ['WITH ALL CHILDREN TRACKER = "x" WHERE (a = 1)', 18, ['WHERE']],
    ['IS', 2, ['NOT', 'LINKED', 'COVERED', 'COVERING']],
    ['IS NOT', 6, ['LINKED', 'COVERED', 'COVERING']],
    ['IS LINKED', 9, ['FROM', 'TO']],
    ['IS LINKED TO b', 13, [...NARROWED, 'WITH TYPE', ...AFTER_TERM]],
    ['IS LINKED TO WITH TYPE b', 23, ['string']],
    ['IS COVERED ARTIFACT = 1', 11, ['BY', ...AFTER_TERM]],
    ['IS COVERED BY 1', 14, ['ARTIFACT']],
    ['IS COVERING ARTIFACT IN (1)', 21, ['=']],
    ['a = 1 AS OF 5', 12, ['NOW()', 'string']],
    ['a = 1 ORDER BY', 14, ['field', '@name']],
    ['a = 1 ORDER BY b c', 17, ['ASC', 'ASCENDING', 'DESC', 'DESCENDING', ',', 'end']],
    ['ORDER BY a, b, c, d', 16, ['ASC', 'ASCENDING', 'DESC', 'DESCENDING', 'end']],
    ['ORDER BY a AS OF NOW()', 11, ['ASC', 'ASCENDING', 'DESC', 'DESCENDING', ',', 'end']],
    ['SELECT', 6, ['field', '@name']],
    ['SELECT a b', 9, [',', 'FROM']],
    ['SELECT a FROM b', 14, ['@project', '@project.name', '@project.category', '@tracker.name']],
    ['SELECT a FROM @tracker.name = MY_PROJECTS() WHERE a = 1', 30, ['string']],
    ['SELECT a FROM @project = 5', 25, ['MY_PROJECTS()', 'string']],
    ['SELECT a FROM @project = "x" AND @project.name = "x" WHERE a = 1', 33, ['@tracker.name']],
    ['SELECT a FROM @project = "x"', 28, ['AND', 'WHERE']],
    ['SELECT a FROM @project = "x" WHERE', 34, TERM],
  ])('%j reports the position and the expected tokens', (text, position, expected) => {
    expect(faultOf(text)).toMatchObject({ problem: 'syntax', position, expected })
  })

  test('reports its first fault, also with backslashes', () => {
    expect(faultOf(String.raw`a = \"x\" AND`)).toMatchObject({ position: 4, expected: LITERAL })
  })
})

describe('depth', () => {
  const nested = (depth: number) => '('.repeat(depth) + 'a IN (1)' + ')'.repeat(depth)
  const children = (depth: number) => 'WITH CHILDREN WHERE ('.repeat(depth) + 'a = 1' + ')'.repeat(depth)

  test('is limited', () => {
    expect(faultOf(nested(64))).toBeUndefined()
    expect(faultOf(nested(65))).toMatchObject({ problem: 'too_deep', position: 64 })
    expect(faultOf(nested(30).replaceAll('(', 'NOT('))).toMatchObject({ problem: 'syntax' })
    expect(faultOf('NOT('.repeat(65))).toMatchObject({ problem: 'too_deep', position: 64 * 4 + 3 })
  })

  test('of links has a lower limit', () => {
    expect(faultOf(children(4))).toBeUndefined()
    expect(faultOf(children(5))).toMatchObject({ problem: 'too_deep', position: 4 * 21 + 14 })
    expect(faultOf('WITH CHILDREN WHERE (a = 1) AND '.repeat(9) + children(4))).toBeUndefined()
  })

  test('counts open levels only', () => {
    expect(faultOf(Array.from({ length: 100 }, () => '(a = 1)').join(' AND '))).toBeUndefined()
  })
})

describe('for every text', () => {
  const MEGABYTE = 2 ** 20
  const fill = (part: string) => part.repeat(Math.ceil(MEGABYTE / part.length))

  test.each([
    '(',
    'NOT (',
    'a',
    '-',
    ' ',
    '\u00a0',
    '"',
    '\\',
    '\\"',
    "'",
    '@',
    'a = 1 AND ',
    'a = 1 OR(',
    'a IN (',
    'a NOT ',
    'IN ',
    'WITH ',
    'WITH CHILDREN WHERE (',
    'IS NOT ',
    'SELECT ',
    '1',
    '1.',
    '0 ',
    'NOW() - ',
    'a = "\\u',
    '\ud83d',
    '\0',
  ])('a megabyte of %j is answered quickly', (part) => {
    const began = performance.now()
    for (const text of [fill(part), `a = ${fill(part)}`, `a = "${fill(part)}`, `a IN (1${fill(part)}`]) faultOf(text)
    expect(performance.now() - began).toBeLessThan(10_000)
  })

  const words = [
    ...'( ) " \' \\ , = < > ! @ + - . $ \n \u00a0'.split(' '),
    ...'a b @id 1 -2.5 "x" \'y\' AND OR NOT IN BETWEEN NOW() MYSELF() OPEN() 1w WITH WITHOUT PARENT CHILDREN ALL LINKS'.split(
      ' ',
    ),
    ...'IS LINKED COVERED COVERING BY FROM TO ARTIFACT TRACKER TYPE WHERE SELECT EXPLAIN AS OF ORDER ASC DESC'.split(
      ' ',
    ),
    ...'@project @tracker.name MY_PROJECTS() \\u41 é 😀'.split(' '),
  ]
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...words), { maxLength: 60 }).map((parts) => parts.join(' ')),
    fc.array(fc.constantFrom(...words), { maxLength: 60 }).map((parts) => parts.join('')),
  )

  test('the parser succeeds, or reports a position inside the text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const fault = faultOf(text)
        if (!fault) return
        expect(fault.position).toBeGreaterThanOrEqual(0)
        expect(fault.position).toBeLessThanOrEqual(text.length)
        expect(fault.expected.length > 0).toBe(fault.problem === 'syntax')
      }),
      { numRuns: 3000 },
    )
  })
})
