import { describe, expect, test } from 'vitest'
import { checkPattern } from './check-pattern.ts'
import { SearchFault } from './field-search.ts'

function refusal(pattern: string): unknown {
  try {
    return checkPattern(pattern)
  } catch (error) {
    return error instanceof SearchFault ? { reason: error.reason, ...error.details } : error
  }
}

describe('a regular expression may contain', () => {
  test.each([
    'engine',
    '^engine (stop|start)s?$',
    'a{1,3}?',
    '[[:alpha:]]+',
    '[^]abc]',
    '(?:engine|motor) stops',
    String.raw`\d+\s\w`,
    String.raw`\mword\M`,
    String.raw`\\1`,
    String.raw`\(?=`,
    String.raw`\(\?!`,
    String.raw`\x41\u0041\0`,
    'a*+?',
    '(((((((((((((((())))))))))))))))',
    'é'.repeat(200),
    '🚀'.repeat(200),
    // The database reports these as invalid.
    '(',
    'a**',
    '[z-a]',
  ])('%s', (pattern) => {
    expect(checkPattern(pattern)).toBe(pattern)
  })
})

describe('a regular expression must not contain', () => {
  test.each([
    { what: 'be longer than 200 characters', pattern: 'é'.repeat(201), position: 200 },
    { what: 'refer back', pattern: String.raw`(a)\1`, position: 3 },
    { what: 'refer back with two digits', pattern: String.raw`(a)\10`, position: 3 },
    { what: 'refer back after an escaped backslash', pattern: String.raw`(a)\\\2`, position: 5 },
    { what: 'look ahead', pattern: 'a(?=b)', position: 1 },
    { what: 'look ahead for what is not there', pattern: 'a(?!b)', position: 1 },
    { what: 'look behind', pattern: '(?<=a)b', position: 0 },
    { what: 'look behind for what is not there', pattern: '(?<!a)b', position: 0 },
    { what: 'look ahead after an escaped backslash', pattern: String.raw`\\(?=b)`, position: 2 },
    { what: 'look ahead behind brackets', pattern: '[]](?=b)', position: 3 },
    { what: 'look ahead where it may still be in brackets', pattern: '[(?=]', position: 1 },
    { what: 'look ahead behind a collating element', pattern: String.raw`[[.\.]](?=b)`, position: 7 },
    { what: 'have options', pattern: '(?i)engine', position: 0 },
    { what: 'be expanded, where a comment could hide a bracket', pattern: '(?x)# [\n(?=a)]', position: 0 },
    { what: 'have comments', pattern: 'a(?#[)b', position: 1 },
    { what: 'be literal by a director', pattern: '***=a(?=b)', position: 0 },
    { what: 'be advanced by a director', pattern: '***:(?b)a', position: 0 },
    { what: 'end with a backslash', pattern: 'a\\', position: 1 },
    { what: 'hold a NUL', pattern: 'a\0', position: 1 },
    { what: 'hold an escaped NUL', pattern: 'a\\\0', position: 1 },
    { what: 'be nested deeper than 16', pattern: '('.repeat(17), position: 16 },
    { what: 'count other than characters', pattern: '🚀(?=b)', position: 1 },
  ])('$what', ({ pattern, position }) => {
    expect(refusal(pattern)).toEqual({ reason: 'query_malformed', cause: 'regular_expression', position })
  })
})
