import { expect, test } from 'vitest'
import { beginsWords, readTyped, wordsBehind } from './read-typed.ts'

test.each([
  ['pump le', 'all', 'pump le', ['pump', 'le']],
  ['> new', 'actions', 'new', ['new']],
  ['@tom t', 'people', 'tom t', ['tom', 't']],
  ['#105', 'ids', '#105', ['#105']],
  ['#', 'ids', '', ['#']],
  ['bug #105', 'all', 'bug #105', ['bug', '#105']],
  ['  ', 'all', '', []],
])('%j asks for %s', (typed, mode, query, words) => {
  expect(readTyped(typed)).toEqual({ mode, query, words })
})

test('a verb is followed by what it is about', () => {
  expect(wordsBehind('New', ['new', 'bug'])).toEqual(['bug'])
  expect(wordsBehind('New', ['new'])).toEqual([])
  expect(wordsBehind('New', ['newest', 'bug'])).toEqual([])
  expect(wordsBehind('New', [])).toEqual([])
})

test('words are compared with the beginnings of words, in any order and case', () => {
  expect(beginsWords('Go to: Access keys', ['key', 'ACC'])).toBe(true)
  expect(beginsWords('Go to: Access keys', ['eys'])).toBe(false)
  expect(beginsWords('bug #105 Pump', ['#105'])).toBe(true)
  expect(beginsWords('Größe', ['grö'])).toBe(true)
})
