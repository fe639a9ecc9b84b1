import { describe, expect, test } from 'vitest'
import { parseCsv } from './parse-csv.ts'
import { countUnreadable, importableTypes, planColumns, toImportDefinition, toImportLines } from './plan-columns.ts'

const CSV = `Summary,Status,Points,Weight,Found on,Postcode,Notes,Empty
Pump leaks,Open,3,"1,5",2026-11-02,01067,"Line one
line two",
Seal worn,Open,5,2,18.11.2026,10115,,
Valve stuck,Done,8,0.25,2026-12-24 10:30,20095,Short,
,Done,,,,,,
`
const table = parseCsv(CSV)
if (!table) throw new Error('The table has no rows.')
const plan = planColumns(table)
const typeOf = (name: string) => plan.columns.find((each) => each.name === name)?.type?.type

describe('the plan of a table', () => {
  test('guesses the type of each column', () => {
    expect(plan.columns.map(({ name, type }) => [name, type?.type])).toEqual([
      ['summary', 'string'],
      ['status', 'sb'],
      ['points', 'int'],
      ['weight', 'float'],
      ['found_on', 'date'],
      ['postcode', 'string'],
      ['notes', 'text'],
      ['empty', undefined],
    ])
    expect([plan.title, plan.status]).toEqual(['summary', 'status'])
  })

  test('becomes a definition, in which known words mean closed', () => {
    const definition = toImportDefinition(plan)
    expect(definition.elements).toHaveLength(7)
    expect(definition.elements?.[0]).toEqual({
      name: 'summary',
      type: typeOf('summary'),
      label: 'Summary',
      required: true,
    })
    expect(definition.semantics).toEqual({ title: 'summary', status: { field: 'status', open: ['value_1'] } })
  })

  test('becomes lines, with a title for rows without one', () => {
    const lines = toImportLines(plan, (row) => `Row ${row}`)
    expect(lines[0]).toEqual({
      op: 'create',
      values_by_field: {
        summary: 'Pump leaks',
        status: 'Open',
        points: 3,
        weight: 1.5,
        found_on: '2026-11-02',
        postcode: '01067',
        notes: 'Line one\nline two',
      },
    })
    expect(lines[1]).toMatchObject({ values_by_field: { found_on: '2026-11-18' } })
    expect(lines[3]).toEqual({ op: 'create', values_by_field: { summary: 'Row 4', status: 'Done' } })
  })

  test('counts the cells that a changed type cannot read', () => {
    const whole = importableTypes().find(({ type }) => type === 'int')
    const [summary] = plan.columns
    if (!summary) throw new Error('There is no column.')
    expect(countUnreadable(summary)).toBe(0)
    expect(countUnreadable({ ...summary, type: whole })).toBe(3)
  })
})

test.each(['2026-02-30', '31.04.2026', '3/4/2026', '2026'])('%s is not guessed as a day', (cell) => {
  const day = importableTypes().find(({ type }) => type === 'date')
  expect(day?.fromTable.read(cell)).toBeUndefined()
})
