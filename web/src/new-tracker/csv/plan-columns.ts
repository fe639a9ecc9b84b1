import type { BulkLine, TrackerDefinition } from '@waypost/sdk/api'
import type { FieldType, TableColumnReader } from '../../field-types/field-type.ts'
import { everyFieldType } from '../../field-types/field-types.ts'
import { toElementName } from '../../tracker-administration/names.ts'
import type { CsvTable } from './parse-csv.ts'

/** A type that a column can become. */
export interface ImportableType extends FieldType {
  readonly fromTable: TableColumnReader
}

export const importableTypes = (): readonly ImportableType[] =>
  everyFieldType()
    .filter((type): type is ImportableType => type.fromTable !== undefined)
    .toSorted((one, other) => one.fromTable.order - other.fromTable.order)

export interface PlannedColumn {
  readonly heading: string
  /** The name of the field. */
  readonly name: string
  /** Undefined: the column is left out. */
  readonly type: ImportableType | undefined
  readonly cells: readonly string[]
}

export interface ImportPlan {
  readonly columns: readonly PlannedColumn[]
  /** The names of the fields with the title and the status. */
  readonly title: string | undefined
  readonly status: string | undefined
}

const TITLE_WORDS = /title|summary|subject|name|titel|betreff|zusammenfassung/i
const STATUS_WORDS = /status|state|zustand/i
const CLOSED_WORDS =
  /done|closed|fixed|resolved|verified|finished|cancel|reject|erledigt|geschlossen|fertig|behoben|abgelehnt/i

/** Guesses the type of each column, the title and the status. */
export function planColumns({ headings, rows }: CsvTable): ImportPlan {
  const taken = new Set<string>()
  const types = importableTypes()
  const columns = headings.map((heading, at): PlannedColumn => {
    const name = toElementName(heading, 'column', taken)
    taken.add(name)
    const cells = rows.map((row) => row[at] ?? '')
    const filled = cells.filter((cell) => cell !== '')
    const type = filled.length === 0 ? undefined : types.find(({ fromTable }) => fromTable.fits(filled))
    return { heading: heading === '' ? name : heading, name, type, cells }
  })
  const titles = columns.filter(canBeTitle)
  return {
    columns,
    title: (titles.find(({ heading }) => TITLE_WORDS.test(heading)) ?? titles[0])?.name,
    status: columns.filter(isSingleList).find(({ heading }) => STATUS_WORDS.test(heading))?.name,
  }
}

export function canBeTitle({ type }: PlannedColumn): boolean {
  return type?.semantics?.includes('title') ?? false
}

export function isSingleList({ type }: PlannedColumn): boolean {
  return type?.list === 'one'
}

/** The number of cells that are no values of the chosen type; they stay empty. */
export function countUnreadable({ type, cells }: PlannedColumn): number {
  return type ? cells.filter((cell) => cell !== '' && type.fromTable.read(cell) === undefined).length : 0
}

export function toImportDefinition({ columns, title, status }: ImportPlan): TrackerDefinition {
  const elements = columns.flatMap(({ heading, name, type, cells }) => {
    if (!type) return []
    const bind = type.fromTable.bind?.(cells.filter((cell) => cell !== ''))
    return [{ name, type: type.type, label: heading, ...(name === title && { required: true }), ...(bind && { bind }) }]
  })
  const values = elements.find(({ name }) => name === status)?.bind?.values ?? []
  const open = values.flatMap(({ key = '', label = '' }) => (CLOSED_WORDS.test(label) ? [] : [key]))
  return {
    elements,
    semantics: {
      ...(title !== undefined && { title }),
      ...(status !== undefined && { status: { field: status, open } }),
    },
  }
}

/** One line of a bulk write per row; rows without a title get the number of the row. */
export function toImportLines({ columns, title }: ImportPlan, rowName: (row: number) => string): BulkLine[] {
  const count = columns[0]?.cells.length ?? 0
  return Array.from({ length: count }, (_, row) => {
    const values = columns.flatMap(({ name, type, cells }) => {
      const cell = cells[row] ?? ''
      const value = type && cell !== '' ? type.fromTable.read(cell) : undefined
      if (value === undefined && name === title) return [[name, rowName(row + 1)] as const]
      return value === undefined ? [] : [[name, value] as const]
    })
    return { op: 'create' as const, values_by_field: Object.fromEntries(values) }
  })
}
