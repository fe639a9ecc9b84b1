import { type RawBuilder, sql } from 'kysely'

/** Brings the row of `file` into a statement on what it is attached to. The index `file_names` has attached files alone. */
export function itsFile(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`join file on file.id = ${id} and file.is_attached`
}

export const nameOfFile = sql<string>`file.name`
/** As in the index `file_names`, word for word. */
export const foldedName = sql<string>`searchable(file.name)`
