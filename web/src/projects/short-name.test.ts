import { expect, test } from 'vitest'
import { suggestShortName } from './short-name.ts'

test.each([
  ['Drive unit firmware', 'drive-unit-firmware'],
  ['  Größe & Gewicht  ', 'groesse-gewicht'],
  ['Café Olé!', 'cafe-ole'],
  ['R&D 2027', 'r-d-2027'],
  ['A very long name that does not fit into it', 'a-very-long-name-that-does-not'],
  ['x'.repeat(40), 'x'.repeat(30)],
  ['草地', ''],
  ['ab', ''],
  ['', ''],
])('%j suggests the short name %j', (name, shortname) => {
  expect(suggestShortName(name)).toBe(shortname)
})

test('a suggestion is a valid short name, or empty', () => {
  for (const name of ['-a-b-', '...new...', 'Ünïcødé 船 team', 'a b c d e f g h i j k l m n o p q r s t']) {
    expect(suggestShortName(name)).toMatch(/^(?:[a-z0-9][a-z0-9-]{2,29})?$/)
  }
})
