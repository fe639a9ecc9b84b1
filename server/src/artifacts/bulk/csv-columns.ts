import type { CsvColumns } from '../../platform/http/bulk-route.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { uniqueColumnNames } from '../../platform/wire/csv.ts'
import { suggestName } from '../../platform/wire/nearest.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { Element } from '../../trackers/tracker.ts'
import { type ArtifactColumn, selectTableColumns } from '../reading/artifact-table.ts'
import { ArtifactRepresentation } from '../reading/represent-artifact.ts'
import { MAX_LISTED_CHOICES } from '../update-artifact/refused-choice.ts'
import { TableCell } from '../update-artifact/table-cell.ts'
import type { ArtifactLine } from './line.ts'

const ID = 'id'
const MEMBERS: ReadonlySet<string> = new Set(Object.keys(ArtifactRepresentation.properties))

/** The target of a column: the artifact, a field, or nothing. */
type CsvColumn = { readonly sets: 'id' | 'nothing' } | { readonly sets: 'field'; readonly field: Element }

/**
 * Columns as the export names them. A name that is both of a member and of a field is of the field, unless the header
 * has its numbered name too. Columns that cannot be written are ignored.
 */
export function readCsvColumns(access: TrackerAccess, names: readonly string[]): CsvColumns<ArtifactLine> {
  const exported = exportedColumns(access)
  const fields = new Map(knownFields(access).map((field) => [field.name, field]))
  const given = new Set<string>()
  const columns = names.map((name): CsvColumn => {
    if (given.has(name)) throw new ApiError('parameter_conflict', { path: name, cause: 'column_duplicate' })
    given.add(name)
    if (name === ID) return { sets: 'id' }
    const column = exported.get(name)
    const numbered = column && 'path' in column ? exported.numberedName(name) : undefined
    const field =
      column && 'field' in column
        ? column.field
        : numbered !== undefined && names.includes(numbered)
          ? undefined
          : fields.get(name)
    if (field) return fieldTypeOf(field).fromCell ? { sets: 'field', field } : { sets: 'nothing' }
    if (column || MEMBERS.has(name.split('.', 1).join())) return { sets: 'nothing' }
    throw unknownColumn(name, [...new Set([ID, ...exported.names, ...fields.keys()])])
  })
  return {
    ignored: names.filter((_, at) => columns[at]?.sets === 'nothing'),
    toLine: (cells) => toLine(names, columns, cells),
  }
}

/** The columns of an export of everything, by name. */
function exportedColumns(access: TrackerAccess) {
  const columns = selectTableColumns(access, [])
  const names = uniqueColumnNames(columns.map(({ name }) => name))
  const byName = new Map<string, ArtifactColumn>()
  for (const [at, column] of columns.entries()) byName.set(names[at] ?? column.name, column)
  return {
    names,
    get: (name: string) => byName.get(name),
    /** The name of the field's column, if a member takes the field's own name. */
    numberedName: (name: string) => names.find((_, at) => columns[at]?.name === name && names[at] !== name),
  }
}

/** Also the fields that may be submitted, but not read: each line decides whether it may set them. */
function knownFields({ tracker, mayRead, maySubmit }: TrackerAccess): readonly Element[] {
  return tracker.elements.filter(
    (element) => element.is_used && fieldTypeOf(element).kind === 'field' && (mayRead(element) || maySubmit(element)),
  )
}

function unknownColumn(name: string, known: readonly string[]): ApiError {
  return new ApiError('reference_unknown', {
    path: name,
    rule: 'exists',
    cause: 'column_unknown',
    line: 1,
    allowed: known.slice(0, MAX_LISTED_CHOICES),
    ...suggestName(name, known),
  })
}

/** A row with an id updates; a row without creates, and its empty cells leave the fields to their defaults. */
function toLine(names: readonly string[], columns: readonly CsvColumn[], cells: readonly string[]): ArtifactLine {
  const id = idIn(cells[columns.findIndex(({ sets }) => sets === 'id')] ?? '')
  const values_by_field: Record<string, TableCell> = {}
  for (const [at, column] of columns.entries()) {
    const text = cells[at] ?? ''
    if (column.sets !== 'field' || (id === undefined && text === '')) continue
    values_by_field[column.field.name] = new TableCell(text, names[at] ?? column.field.name)
  }
  return id === undefined ? { op: 'create', values_by_field } : { op: 'update', id, values_by_field }
}

function idIn(cell: string): number | undefined {
  const text = cell.trim()
  if (text === '') return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new ApiError('parameter_invalid', { path: ID, rule: 'type', cause: 'csv_row_id' })
}
