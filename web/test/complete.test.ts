import { describe, expect, test } from 'vitest'
import type { Tracker } from '@waypost/sdk/api'
import { startWorld } from '../../server/test/harness.ts'
import { TOM } from '../../server/test/people.ts'
import { BUGS } from '../../server/test/places.ts'
import { completionsAt } from '../src/trackers/tql/complete.ts'
import { describeTerm } from '../src/trackers/tql/describe-term.ts'

const { api } = await startWorld({ seedOnce: true })
const bugs = async (): Promise<Tracker> => (await api.get(`/trackers/${BUGS}`, { as: TOM })).json
const offered = async (query: string) =>
  completionsAt(query, query.length, await bugs()).options.map(({ insert }) => insert)

describe('what is offered in a query', () => {
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
    ['status = "Open" ', ['AND', 'OR', 'ORDER BY']],
    ['status = "Open" AND (po', ['points']],
    ['ORDER BY due ', ['DESC']],
    ['status = "Open" ORDER BY du', ['due']],
  ])('%j may go on with what fits', async (query, expected) => {
    expect(await offered(query)).toEqual(expect.arrayContaining(expected))
  })

  test('is never a field that the reader may not read', async () => {
    expect(await offered('bud')).toEqual([])
  })
})

describe('a condition in the words of the tracker', () => {
  test.each([
    ['status = "Open"', 'Status: Open'],
    ['status NOT IN ("Open", "Fixed")', 'Status is not Open, Fixed'],
    ['assigned_to = MYSELF()', 'Assigned to: me'],
    ['points >= 3', 'Points >= 3'],
    ['due = ""', 'Due is empty'],
    ['@status = OPEN()', 'Open ones'],
    ['WITH CHILDREN', 'WITH CHILDREN'],
    ['due < NOW() - 1w', 'due < NOW() - 1w'],
  ])('%s: %s', async (term, words) => {
    expect(describeTerm(term, await bugs())).toBe(words)
  })
})
