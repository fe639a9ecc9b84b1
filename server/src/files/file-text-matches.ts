import { type RawBuilder, sql } from 'kysely'

/** Whether the name or description of the file with this id matches a LIKE pattern, ignoring case. */
export function fileTextMatches(id: RawBuilder<unknown>, pattern: string): RawBuilder<boolean> {
  return sql`exists (select from file where file.id = ${id} and (
    caseless(file.name) like caseless(${pattern}) or caseless(file.description) like caseless(${pattern})))`
}
