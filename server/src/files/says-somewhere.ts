import { type RawBuilder, sql } from 'kysely'

/** Whether the name or the description of the file with this id is like a pattern, whatever its case. */
export function saysSomewhere(id: RawBuilder<unknown>, pattern: string): RawBuilder<boolean> {
  return sql`exists (select from file where file.id = ${id} and (
    caseless(file.name) like caseless(${pattern}) or caseless(file.description) like caseless(${pattern})))`
}
