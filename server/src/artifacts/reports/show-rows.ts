import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { Element, Renderer } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { type ArtifactColumn, selectTableColumns, listReadableFields } from '../reading/artifact-table.ts'
import type { OUTPUT_FORMATS } from '../reading/flat-values.ts'
import type { Audience } from '../reading/audience.ts'
import type { ArtifactRepresentation } from '../reading/represent-artifact.ts'
import { flattenFound, showFound } from '../search/show-found.ts'

/** The format of report rows. */
export interface RowFormat {
  readonly withValues: boolean
  readonly format: (typeof OUTPUT_FORMATS)[number]
  /** Only these fields, in this order; absent for all. */
  readonly columns?: readonly Element[] | undefined
}

/** The table columns that the viewer may read. */
export function readableColumns({ columns }: Renderer, access: TrackerAccess): readonly Element[] {
  const fields = listReadableFields(access)
  return columns.flatMap((column) => fields.find(({ id }) => id === column) ?? [])
}

export async function showRows(
  audience: Audience,
  access: TrackerAccess,
  ids: readonly ArtifactId[],
  { withValues, format, columns }: RowFormat,
): Promise<(ArtifactRepresentation | Record<string, unknown>)[]> {
  if (format !== 'nested') {
    const rows = await flattenFound(audience, access, ids, format)
    return columns ? rows.map((row) => Object.fromEntries(columns.flatMap(({ name }) => entryOf(row, name)))) : rows
  }
  return showFound(audience, access, ids, { withValues, fields: columns })
}

/** The CSV columns: the requested ones, else those of the table, else all. */
export function tableColumns(
  access: TrackerAccess,
  names: readonly string[],
  { columns }: RowFormat,
): readonly ArtifactColumn[] {
  if (names.length > 0 || !columns) return selectTableColumns(access, names)
  return selectTableColumns(access, ['id', ...columns.map(({ id }) => `values.${id}`)])
}

function entryOf(row: Record<string, unknown>, name: string): [string, unknown][] {
  return name in row ? [[name, row[name]]] : []
}
