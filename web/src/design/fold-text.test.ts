import { expect, test } from 'vitest'
import { containsWords, foldText } from './fold-text.ts'

test.each([
  ['Tomás Ruiz', 'tomas'],
  ['TOMÁS', 'tomas'],
  ['Łukasz', 'lukasz'],
  ['Straße', 'strasse'],
  ['Jørgen Sæther', 'jorgen saether'],
])('%s is found by %s', (label, typed) => {
  expect(containsWords(label, typed)).toBe(true)
})

test('accents in the typed words are ignored as well', () => {
  expect(containsWords('Tomas Ruiz', 'ruíz tómas')).toBe(true)
  expect(containsWords('Tomas Ruiz', 'tom ruth')).toBe(false)
  expect(foldText('Ångström')).toBe('angstrom')
})
