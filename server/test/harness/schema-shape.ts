import { Client } from 'pg'

/** Runs one statement in its own session. */
export async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** Every table, column, index and constraint, to compare two schemas. */
export function shape(url: string): Promise<object[]> {
  return query(
    url,
    `select table_name, column_name, data_type, column_default, is_nullable from information_schema.columns
       where table_schema = 'public'
     union all select tablename, indexname, indexdef, null, null from pg_indexes where schemaname = 'public'
     union all select conrelid::regclass::text, conname, pg_get_constraintdef(oid), null, null from pg_constraint
       where connamespace = 'public'::regnamespace
     order by 1, 2, 3`,
  )
}
