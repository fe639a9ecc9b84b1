import { expect, test } from 'vitest'
import { splitReferences } from './split-references.ts'

test('references are whole words, also if one is the beginning of another', () => {
  expect(splitReferences('Fix OLD-7, OLD-70 and art #12 (see art #123).', ['OLD-7', 'art #12'])).toEqual([
    'Fix ',
    'OLD-7',
    ', OLD-70 and ',
    'art #12',
    ' (see art #123).',
  ])
  expect(splitReferences('Fix art #123 and art #12', ['art #12', 'art #123'])).toEqual([
    'Fix ',
    'art #123',
    ' and ',
    'art #12',
    '',
  ])
  expect(splitReferences('Says [nothing] (again).', [])).toEqual(['Says [nothing] (again).'])
  expect(splitReferences('a.c abc', ['a.c'])).toEqual(['', 'a.c', ' abc'])
})
