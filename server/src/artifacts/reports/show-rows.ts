import type { Sight } from '../../trackers/sight.ts'
import type { Element, Renderer } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { type Column, columnsOf, fieldsOf } from '../reading/artifact-table.ts'
import type { OUTPUT_FORMATS } from '../reading/flat-values.ts'
import type { Audience } from '../reading/reading.ts'
import type { ArtifactRepresentation } from '../reading/represent-artifact.ts'
import { flattenFound, showFound } from '../search/show-found.ts'

/** How the rows of a report are shown. */
export interface Look {
  readonly withValues: boolean
  readonly format: (typeof OUTPUT_FORMATS)[number]
  /** Only these fields, in this order; absent: all. */
  readonly columns?: readonly Element[] | undefined
}

/** The columns of a table that the viewer may read. */
export function columnsIn({ columns }: Renderer, sight: Sight): readonly Element[] {
  const fields = fieldsOf(sight)
  return columns.flatMap((column) => fields.find(({ id }) => id === column) ?? [])
}

export async function showRows(
  audience: Audience,
  sight: Sight,
  ids: readonly ArtifactId[],
  { withValues, format, columns }: Look,
): Promise<(ArtifactRepresentation | Record<string, unknown>)[]> {
  if (format !== 'nested') {
    const rows = await flattenFound(audience, sight, ids, format)
    return columns ? rows.map((row) => Object.fromEntries(columns.flatMap(({ name }) => entryOf(row, name)))) : rows
  }
  return showFound(audience, sight, ids, { withValues, fields: columns })
}

/** Of CSV: what is asked for; else the columns of the table, or all. */
export function tableColumns(sight: Sight, names: readonly string[], { columns }: Look): readonly Column[] {
  if (names.length > 0 || !columns) return columnsOf(sight, names)
  return columnsOf(sight, ['id', ...columns.map(({ id }) => `values.${id}`)])
}

function entryOf(row: Record<string, unknown>, name: string): [string, unknown][] {
  return name in row ? [[name, row[name]]] : []
}
