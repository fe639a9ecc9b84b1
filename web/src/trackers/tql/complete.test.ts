import { describe, expect, test } from 'vitest'
import { sampleField, trackerWith } from '../../../test/sample-tracker.ts'
import { completionsAt } from './complete.ts'
import { describeTerm } from './describe-term.ts'

const tom = { label: 'tom', user_reference: { id: 103, username: 'tom', real_name: 'Tom Baker' } }
const BUGS = trackerWith(
  [
    sampleField('fieldset', { field_id: 1, name: 'stable', label: 'Stable' }),
    sampleField('string', { field_id: 2, name: 'summary', label: 'Summary' }),
    sampleField('sb', {
      field_id: 3,
      name: 'status',
      label: 'Status',
      values: [{ label: 'Open' }, { label: 'Fixed' }],
    }),
    sampleField('msb', {
      field_id: 4,
      name: 'assigned_to',
      label: 'Assigned to',
      values: [tom],
      bindings: { type: 'users', list: [] },
    }),
    sampleField('int', { field_id: 5, name: 'points', label: 'Points' }),
    sampleField('date', { field_id: 6, name: 'due', label: 'Due' }),
    sampleField('subon', { field_id: 7, name: 'opened', label: 'Opened' }),
    sampleField('perm', { field_id: 8, name: 'readers', label: 'Readers' }),
  ],
  { semantics: { status: { field_id: 3, value_ids: [] } } },
)
const offered = (query: string) => completionsAt(query, query.length, BUGS).options.map(({ insert }) => insert)

describe('the completions of a query', () => {
  test.each([
    ['', ['summary', 'status', 'assigned_to']],
    ['sta', ['status', '@status']],
    ['status ', ['=', '!=', 'IN (']],
    ['status = ', ['"Open"', '"Fixed"']],
    ['status = "fi', ['"Fixed"']],
    ['status IN ("Open", ', ['"Open"', '"Fixed"']],
    ['assigned_to = ', ['MYSELF()', '"tom"']],
    ['points ', ['<=', 'BETWEEN(']],
    ['due < ', ['NOW()']],
    ['@submitted_on > ', ['NOW() - 1w']],
    ['status = "Open" ', ['AND', 'OR', 'ORDER BY']],
    ['status = "Open" AND (po', ['points']],
    ['ORDER BY due ', ['DESC']],
    ['status = "Open" ORDER BY du', ['due']],
  ])('%j may go on with what fits', (query, expected) => {
    expect(offered(query)).toEqual(expect.arrayContaining(expected))
  })

  test('contain only fields that a filter can name', () => {
    expect([offered('stab'), offered('read')]).toEqual([[], []])
  })

  test('of an operator are those of the field type', () => {
    expect(offered('summary ')).toEqual(['=', '!='])
    expect(offered('status ')).toEqual(['=', '!=', 'IN (', 'NOT IN ('])
    expect(offered('due ')).toEqual(['=', '!=', '<', '<=', '>', '>=', 'BETWEEN('])
  })
})

describe('a condition with the labels of the tracker', () => {
  test.each([
    ['status = "Open"', 'Status: Open'],
    ['status NOT IN ("Open", "Fixed")', 'Status is not Open, Fixed'],
    ['assigned_to = MYSELF()', 'Assigned to: me'],
    ['points >= 3', 'Points >= 3'],
    ['due = ""', 'Due is empty'],
    ['@status = OPEN()', 'Open ones'],
    ['WITH CHILDREN', 'WITH CHILDREN'],
    ['due < NOW() - 1w', 'due < NOW() - 1w'],
  ])('%s: %s', (term, words) => {
    expect(describeTerm(term, BUGS)).toBe(words)
  })
})
