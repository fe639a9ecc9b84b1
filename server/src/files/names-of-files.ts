import { type RawBuilder, sql } from 'kysely'

/** Joins the `file` row to a statement on attachments. The index `file_names` covers attached files only. */
export function joinFile(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`join file on file.id = ${id} and file.is_attached`
}

export const nameOfFile = sql<string>`file.name`
/** Must equal the expression of the index `file_names`. */
export const foldedFileName = sql<string>`searchable(file.name)`
