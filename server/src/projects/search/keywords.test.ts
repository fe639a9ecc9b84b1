import { describe, expect, test } from 'vitest'
import { JAVASCRIPT_LETTERS, termPattern, parseKeywords } from './keywords.ts'

const word = (...words: string[]) => ({ words, isBeginning: false })
const beginning = (...words: string[]) => ({ words, isBeginning: true })

describe('keywords', () => {
  test.each([
    ['pump', [beginning('pump')]],
    ['pump leak', [word('pump'), beginning('leak')]],
    ['"pump leak"', [word('pump', 'leak')]],
    ['“pump leak”', [word('pump', 'leak')]],
    ['"pump  leak" bar', [word('pump', 'leak'), beginning('bar')]],
    ['bar "pump leak" ', [word('bar'), word('pump', 'leak')]],
    ['bar "pump le', [word('bar'), beginning('pump', 'le')]],
    ['a"b c"d', [word('a'), word('b', 'c'), beginning('d')]],
    ['pump, leak.', [word('pump'), beginning('leak')]],
    ['C++ .net bug #12', [word('C++'), word('.net'), word('bug'), beginning('#12')]],
    ['...', [beginning('.')]],
    ['""', []],
    ['" "', []],
    ['', []],
  ])('%s', (keywords, terms) => {
    expect(parseKeywords(keywords)).toEqual(terms)
  })
})

describe('a term', () => {
  const isIn = (term: ReturnType<typeof word>, text: string) =>
    new RegExp(termPattern(term, JAVASCRIPT_LETTERS), 'u').test(text)

  test.each([
    [word('leak'), 'a leak.', true],
    [word('leak'), 'leaks', false],
    [word('leak'), 'oilleak', false],
    [word('leak'), 'oil_leak', true],
    [beginning('leak'), 'leaks', true],
    [beginning('leak'), 'oilleaks', false],
    [word('pump', 'leak'), 'pump\n leak', true],
    [word('pump', 'leak'), 'pump leaks', false],
    [word('pump', 'leak'), '**pump**, *leak*', true],
    [word('pump', 'leak'), 'pump or leak', false],
    [word('pump', 'leak'), 'pump\u0001leak', false],
    [word('pump', '&', 'leak'), 'pump & leak, pump and leak', true],
    [word('!', '?'), 'really!', true],
    [word('c++'), 'in c++11', true],
    [word('a.b'), 'a.b', true],
    [word('a.b'), 'axb', false],
    [word('漏れ'), 'ポンプ漏れ検査', true],
  ])('%o matches %s: %s', (term, text, isFound) => {
    expect(isIn(term, text)).toBe(isFound)
  })
})
