import { expect, test } from 'vitest'
import { sampleField, trackerWith } from '../../../test/sample-tracker.ts'
import { describeTerm } from './describe-term.ts'
import { toQuery } from './plain-words.ts'
import { splitTerms } from './terms.ts'

const PUMPS = trackerWith([
  sampleField('string', { field_id: 2, name: 'summary', label: 'Summary' }),
  sampleField('text', { field_id: 3, name: 'details', label: 'Details' }),
  sampleField('int', { field_id: 4, name: 'points', label: 'Points' }),
])

test.each([
  ['pump', '(summary = "pump" OR details = "pump")'],
  [
    ' pump is "two words" ',
    ['pump', 'is', 'two words'].map((word) => `(summary = "${word}" OR details = "${word}")`).join(' AND '),
  ],
  [String.raw`a\b`, String.raw`(summary = "a\\b" OR details = "a\\b")`],
  ['', ''],
])('plain words %j have to be in a text', (typed, query) => {
  expect(toQuery(typed, PUMPS)).toBe(query)
})

test.each([
  'points > 3',
  'summary="x"',
  '@status = OPEN()',
  'WITH PARENT',
  'not (points = 1)',
  'order by points',
  'is linked to 12',
  'EXPLAIN points = 1',
])('%s is a query', (typed) => {
  expect(toQuery(typed, PUMPS)).toBe(typed)
})

test('a tracker without texts takes queries only', () => {
  expect(toQuery('pump', trackerWith([sampleField('int')]))).toBe('pump')
})

test('each word is a term of its own, described in words', () => {
  const terms = splitTerms(toQuery(String.raw`pump "a \ b"`, PUMPS)) ?? []
  expect(terms.map((term) => describeTerm(term, PUMPS))).toEqual(['Contains “pump”', String.raw`Contains “a \ b”`])
  expect(describeTerm('(summary = "a" OR details = "b")', PUMPS)).toBe('(summary = "a" OR details = "b")')
})
