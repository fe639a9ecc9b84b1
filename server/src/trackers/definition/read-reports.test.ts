import { expect, test } from 'vitest'
import { definitionProblems, readChangedDefinition } from '../../../test/fixtures/changed-definition.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { toId } from '../../platform/database/ids.ts'
import type { Tracker } from '../tracker.ts'
import type { ReportDocument } from './schemas.ts'

const read = (reports: ReportDocument[], stored?: Tracker) =>
  readChangedDefinition((document) => void (document.reports = reports), stored)
const problems = (reports: ReportDocument[], stored?: Tracker) =>
  definitionProblems((document) => void (document.reports = reports), stored)

function trackerWith(reports: ReportDocument[]): Tracker {
  const { structure, named } = read(reports)
  return { ...structure, ...named, id: toId(1), project_id: ORCHARD, version: 1, rights_epoch: 1 }
}

test.each<[string, ReportDocument[], string[][]]>([
  [
    'two defaults',
    [
      { label: 'A', default: true },
      { label: 'B', default: true },
    ],
    [['/reports/1/default', 'duplicate_entry']],
  ],
  ['a private one', [{ label: 'A', public: false }], [['/reports/0/public', 'parameter_not_allowed']]],
  ['no label', [{ label: '' }], [['/reports/0/label', 'parameter_required']]],
  [
    'fields from nowhere',
    [
      {
        label: 'A',
        criteria: [{ field: 'x', value: 1 }],
        renderers: [{ type: 'table', columns: ['y'], sort: [{ field: 'z', direction: 'asc' }] }],
      },
    ],
    [
      ['/reports/0/criteria/0/field', 'reference_unknown'],
      ['/reports/0/renderers/0/columns/0', 'reference_unknown'],
      ['/reports/0/renderers/0/sort/0/field', 'reference_unknown'],
    ],
  ],
  [
    'a query that cannot be read',
    [{ label: 'A', expert_query: '=' }],
    [['/reports/0/expert_query', 'query_malformed', 'syntax']],
  ],
])('refuses reports with %s', (_, reports, expected) => {
  expect(problems(reports)).toEqual(expected)
})

test('a report keeps its id as long as its label is unchanged, and so does a table', () => {
  const table = { type: 'table', label: 'Table' }
  const before = trackerWith([{ label: 'A', renderers: [table, { ...table, label: 'Other' }] }, { label: 'B' }])
  const { structure, needs } = read(
    [
      { label: 'C', default: true },
      { label: 'B', renderers: [table] },
      { label: 'A', renderers: [table] },
    ],
    before,
  )
  const [a, b] = before.reports

  expect(structure.reports.map(({ id }) => id)).toEqual([expect.any(Number), b?.id, a?.id])
  expect(structure.reports[0]?.id).not.toBe(a?.id)
  expect(structure.reports[2]?.renderers[0]?.id).toBe(a?.renderers[0]?.id)
  expect([needs.get('report'), needs.get('renderer')]).toEqual([1, 1])
})

test('reports with the same label keep their ids in order', () => {
  const before = trackerWith([{ label: 'A' }, { label: 'A' }])
  expect(read([{ label: 'A' }, { label: 'A' }], before).structure.reports.map(({ id }) => id)).toEqual(
    before.reports.map(({ id }) => id),
  )
})

test('a field cannot be omitted from the form while a report uses it', () => {
  const before = trackerWith([{ label: 'A', renderers: [{ type: 'table', columns: ['box'] }] }])
  const found = definitionProblems((document) => {
    document.rules = {}
    document.elements = document.elements.map((each) => ({
      ...each,
      ...(each.content && { content: each.content.filter(({ name }) => name !== 'box') }),
    }))
    document.reports = [{ label: 'A', renderers: [{ type: 'table', columns: ['box'] }] }]
  }, before)
  expect(found).toContainEqual(['/reports/0/renderers/0/columns/0', 'rule_violated', 'field_in_use'])
})
