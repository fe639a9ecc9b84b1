import type { SelectableField } from '../wire/sparse.ts'

/** A complete list, for NDJSON and CSV. */
export interface Export {
  size: number
  /** As in a reply. */
  fieldNames?: readonly SelectableField[]
  headers?: Readonly<Record<string, string>>
  /** Elements of the route's list, in batches. */
  rows: AsyncIterable<readonly unknown[]>
  /** The CSV table, if it differs from the members of the elements; `names`: the requested columns, empty: all. */
  table?: (names: readonly string[]) => ExportTable
}

export interface ExportTable {
  readonly columns: readonly string[]
  /** The cells of each row, in batches. */
  readonly rows: AsyncIterable<readonly (readonly unknown[])[]>
}
