import { describe, expect, test } from 'vitest'
import { parseQuery } from './parse-query.ts'
import { printQuery } from './print-query.ts'

/** The parsed query, printed. */
const understood = (text: string) => printQuery(parseQuery(text))

function literalOf(written: string) {
  const { where } = parseQuery(`a = ${written}`)
  const [literal] = where?.kind === 'comparison' ? where.literals : []
  return literal && { ...literal, position: undefined }
}

describe('a query', () => {
  test.each([
    ['', ''],
    [' \t\r\n\u00a0', ''],
    ['a = 1', 'a = 1'],
    ['\u00a0a\u00a0=\n1\t', 'a = 1'],
    ['a=1', 'a = 1'],
    ['a != 1 and b <= 2 And c >= 3 AND d < 4 AND e > 5', 'a != 1 AND b <= 2 AND c >= 3 AND d < 4 AND e > 5'],
    ['a between(1,2)', 'a BETWEEN (1, 2)'],
    ['a IN("x",\'y\' , 3)', 'a IN ("x", "y", 3)'],
    ['a in ("x",)', 'a IN ("x")'],
    ['a not in ("x")', 'a NOT IN ("x")'],
    ['a NOT\n\t IN ("x")', 'a NOT IN ("x")'],
    ['a = 1 OR b = 2 AND c = 3', 'a = 1 OR b = 2 AND c = 3'],
    ['(a = 1 OR b = 2) AND c = 3', '(a = 1 OR b = 2) AND c = 3'],
    ['((a = 1))', 'a = 1'],
    ['a="x"AND b=1OR c=2', 'a = "x" AND b = 1 OR c = 2'],
    ['NOT (a = 1 OR b = 2)', 'NOT (a = 1 OR b = 2)'],
    ['not(not(a=1))', 'NOT (NOT (a = 1))'],
    ['@title = "x"', '@title = "x"'],
    ['@project.name="x"', '@project.name = "x"'],
    ['0-a_B = 1', '0-a_B = 1'],
  ])('%j is parsed as %j', (text, meaning) => {
    expect(understood(text)).toBe(meaning)
  })

  test.each(['and', 'NOT', 'In', 'between', 'WITH', 'is', 'SELECT', 'explain', 'ORDER', 'as', 'NOW', 'where'])(
    'accepts the field name %s',
    (name) => {
      const texts = [`${name} = 1`, `${name} IN (1)`, `${name} NOT IN (1)`, `${name} BETWEEN (1, 2)`]
      for (const text of [...texts, `a = 1 AND ${name} != 2`, `a = 1 ORDER BY ${name}`]) {
        expect(understood(text)).toBe(text)
      }
    },
  )

  test('records the position of each part', () => {
    expect(parseQuery('  a = "x" OR @b IN (1, NOW()) AS OF "2026-02-01" ORDER BY c DESC')).toEqual({
      isExplained: false,
      where: {
        kind: 'or',
        position: 2,
        of: [
          {
            kind: 'comparison',
            position: 2,
            searchable: { kind: 'field', name: 'a', position: 2 },
            comparator: '=',
            comparatorPosition: 4,
            literals: [{ kind: 'text', text: 'x', position: 6 }],
          },
          {
            kind: 'comparison',
            position: 13,
            searchable: { kind: 'metadata', name: 'b', position: 13 },
            comparator: 'IN',
            comparatorPosition: 16,
            literals: [
              { kind: 'number', text: '1', position: 20 },
              { kind: 'now', position: 23 },
            ],
          },
        ],
      },
      asOf: { position: 30, instant: { kind: 'text', text: '2026-02-01', position: 36 } },
      orderBy: [{ position: 58, by: { kind: 'field', name: 'c', position: 58 }, isDescending: true }],
      terms: 2,
    })
  })
})

describe('a literal', () => {
  test.each([
    ['"x"', { kind: 'text', text: 'x' }],
    ["'x'", { kind: 'text', text: 'x' }],
    [`"it's"`, { kind: 'text', text: "it's" }],
    [`'"'`, { kind: 'text', text: '"' }],
    ['""', { kind: 'text', text: '' }],
    ['"100 % é 😀"', { kind: 'text', text: '100 % é 😀' }],
    [String.raw`"a\"b\\c\/d\n\😀"`, { kind: 'text', text: 'a"b\\c/dn😀' }],
    ['"a\\\nb\\\r\nc\\\rd"', { kind: 'text', text: 'abcd' }],
    [String.raw`"\u41\u00e9-\u0000411\u1f600 \u1F600"`, { kind: 'text', text: 'Aé-A1😀 😀' }],
    [String.raw`"\ud83d\ude00"`, { kind: 'text', text: '😀' }],
    [String.raw`"\unit \U"`, { kind: 'text', text: 'unit U' }],
    ['5', { kind: 'number', text: '5' }],
    ['-5', { kind: 'number', text: '-5' }],
    ['007', { kind: 'number', text: '007' }],
    ['1.50', { kind: 'number', text: '1.50' }],
    ['-1.5', { kind: 'number', text: '-1.5' }],
    ['99999999999999999999', { kind: 'number', text: '99999999999999999999' }],
    ['NOW()', { kind: 'now' }],
    ['now ( )', { kind: 'now' }],
    ['NOW() - 1w', { kind: 'now', period: { count: -1, unit: 'w' } }],
    ['NOW()-1W', { kind: 'now', period: { count: -1, unit: 'w' } }],
    ['NOW() + 12m', { kind: 'now', period: { count: 12, unit: 'm' } }],
    ['NOW() +3d', { kind: 'now', period: { count: 3, unit: 'd' } }],
    ['NOW() - 2y', { kind: 'now', period: { count: -2, unit: 'y' } }],
    ['NOW() - 0d', { kind: 'now', period: { count: 0, unit: 'd' } }],
    ['NOW() - 99999999999999999999999y', { kind: 'now', period: { count: -999_999_999, unit: 'y' } }],
    ['MYSELF()', { kind: 'myself' }],
    ['myself( )', { kind: 'myself' }],
    ['OPEN()', { kind: 'open' }],
    ['open()', { kind: 'open' }],
  ])('%s has its meaning', (written, literal) => {
    expect(literalOf(written)).toEqual(literal)
  })
})

describe('a term about links', () => {
  test.each([
    ['with parent', 'WITH PARENT'],
    ['WITHOUT PARENT', 'WITHOUT PARENT'],
    ['WITH CHILD', 'WITH CHILDREN'],
    ['WITHOUT CHILDREN ARTIFACT = 12', 'WITHOUT CHILDREN ARTIFACT = 12'],
    ['WITH PARENT TRACKER="bug"', 'WITH PARENT TRACKER = "bug"'],
    ['WITH CHILDREN TRACKER != "bug"', 'WITH CHILDREN TRACKER != "bug"'],
    ['WITH CHILDREN ARTIFACT IN (1,-2)', 'WITH CHILDREN ARTIFACT IN (1, -2)'],
    ['WITH CHILDREN ARTIFACT IN (1)', 'WITH CHILDREN ARTIFACT = 1'],
    ['IS LINKED FROM', 'IS LINKED FROM'],
    ['IS NOT LINKED TO', 'IS NOT LINKED TO'],
    ['is linked to artifact = 5 with type "blocks"', 'IS LINKED TO ARTIFACT = 5 WITH TYPE "blocks"'],
    ["IS LINKED TO WITH TYPE ''", 'IS LINKED TO WITH TYPE ""'],
    ['IS COVERED', 'IS COVERED'],
    ['IS NOT COVERED BY ARTIFACT = 5', 'IS NOT COVERED BY ARTIFACT = 5'],
    ['IS COVERING', 'IS COVERING'],
    ['IS NOT COVERING ARTIFACT = 5', 'IS NOT COVERING ARTIFACT = 5'],
    ['WITH CHILDREN WHERE(a=1 OR b=2)', 'WITH CHILDREN WHERE (a = 1 OR b = 2)'],
    ['WITH CHILDREN TRACKER = "t" WHERE (a = 1) AND b = 2', 'WITH CHILDREN TRACKER = "t" WHERE (a = 1) AND b = 2'],
    ['IS LINKED TO WHERE (a = 1) WITH TYPE "x"', 'IS LINKED TO WHERE (a = 1) WITH TYPE "x"'],
    ['WITH ALL CHILDREN WHERE (a = 1)', 'WITH ALL CHILDREN WHERE (a = 1)'],
    ['WITH ALL LINKS TO WHERE (a = 1)', 'WITH ALL LINKS TO WHERE (a = 1)'],
    ['with all links from where (WITH PARENT)', 'WITH ALL LINKS FROM WHERE (WITH PARENT)'],
  ])('%s is parsed as %s', (text, meaning) => {
    expect(understood(text)).toBe(meaning)
  })

  test('records the positions of its parts', () => {
    expect(parseQuery('IS LINKED TO TRACKER != "t" WITH TYPE "x"').where).toEqual({
      kind: 'link',
      position: 0,
      form: 'linked_to',
      isNot: false,
      isEvery: false,
      tracker: { name: 't', isNot: true, position: 13 },
      type: { name: 'x', position: 38 },
    })
  })
})

describe('the extensions', () => {
  test.each([
    ['explain', 'EXPLAIN'],
    ['EXPLAIN a = 1', 'EXPLAIN a = 1'],
    ['EXPLAIN EXPLAIN = 1', 'EXPLAIN EXPLAIN = 1'],
    ['EXPLAIN NOT (a = 1)', 'EXPLAIN NOT (a = 1)'],
    ['EXPLAIN (NOT IN (1))', 'EXPLAIN (NOT IN (1))'],
    ['AS OF "2026-02-01"', 'AS OF "2026-02-01"'],
    ['a = 1 as\nof NOW() - 1w', 'a = 1 AS OF NOW() - 1w'],
    ['ORDER BY a', 'ORDER BY a'],
    ['a = 1 order  by a asc, @id descending, c ASCENDING', 'a = 1 ORDER BY a, @id DESC, c'],
    ['a = 1 AS OF NOW() ORDER BY asc desc', 'a = 1 AS OF NOW() ORDER BY asc DESC'],
  ])('%j is parsed as %j', (text, meaning) => {
    expect(understood(text)).toBe(meaning)
  })
})

describe('a search in many trackers', () => {
  test.each([
    ["SELECT a FROM @project = 'self' WHERE a = 1", 'SELECT a FROM @project = "self" WHERE a = 1'],
    [
      'select @id, from, b FROM @project = my_projects () AND @tracker.name in ("x","y") where a = 1 order by @id asc',
      'SELECT @id, from, b FROM @project = MY_PROJECTS() AND @tracker.name IN ("x", "y") WHERE a = 1 ORDER BY @id',
    ],
    [
      'EXPLAIN SELECT a FROM @tracker.name = "x" AND @project.category IN ("y") WHERE (WITH PARENT) AS OF NOW()',
      'EXPLAIN SELECT a FROM @tracker.name = "x" AND @project.category = "y" WHERE WITH PARENT AS OF NOW()',
    ],
    ['SELECT a FROM @project.name="p" WHERE b=1', 'SELECT a FROM @project.name = "p" WHERE b = 1'],
  ])('%s is parsed as %s', (text, meaning) => {
    expect(understood(text)).toBe(meaning)
  })

  test('records its columns and sources with their positions', () => {
    expect(parseQuery('SELECT a, @id FROM @project = "p" WHERE a = 1').select).toEqual({
      position: 0,
      columns: [
        { kind: 'field', name: 'a', position: 7 },
        { kind: 'metadata', name: 'id', position: 10 },
      ],
      sources: [{ position: 19, subject: 'project', is: [{ text: 'p', position: 30 }] }],
    })
  })
})

describe('terms', () => {
  test.each([
    ['', 0],
    ['a = 1', 1],
    ['a = 1 AND (b IN (1, 2, 3) OR NOT (c BETWEEN (1, 2)))', 3],
    ['WITH PARENT', 1],
    ['WITH ALL CHILDREN WHERE (a = 1 AND IS LINKED TO WHERE (b = 2))', 4],
  ])('of %j are counted: %i', (text, terms) => {
    expect(parseQuery(text).terms).toBe(terms)
  })
})

describe('backslashes', () => {
  test('are kept if the text can be parsed', () => {
    expect(literalOf(String.raw`"a\\\"b"`)).toEqual({ kind: 'text', text: String.raw`a\"b` })
  })

  test('lose one level otherwise', () => {
    expect(literalOf(String.raw`\"a\\\"b\"`)).toEqual({ kind: 'text', text: 'a"b' })
    expect(understood(String.raw`a = \'x\' AND b = \"y\"`)).toBe('a = "x" AND b = "y"')
  })

  test('do not shift positions', () => {
    const { where } = parseQuery(String.raw`a = \"x\" AND b = 2`)
    expect(where).toMatchObject({
      of: [
        { position: 0, literals: [{ text: 'x', position: 5 }] },
        { position: 14, literals: [{ position: 18 }] },
      ],
    })
  })
})
