import type { Client } from 'pg'

/** Statements that recreate the dropped constraints and indexes. */
interface Dropped {
  readonly keys: readonly string[]
  readonly indexes: readonly string[]
  /** Foreign keys. */
  readonly references: readonly string[]
}

interface Constraint {
  readonly name: string
  readonly table: string
  readonly definition: string
  readonly kind: string
}

/** Drops all keys and indexes of these tables and disables triggers. List the slowest table last. */
export async function dropIndexes(owner: Client, tables: readonly string[]): Promise<Dropped> {
  const { rows: constraints } = await owner.query<Constraint>(
    `select quote_ident(conname) as name, conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition,
       contype as kind
     from pg_constraint
     where (conrelid::regclass::text = any($1) or confrelid::regclass::text = any($1)) and contype in ('p', 'u', 'f')
     order by contype = 'f' desc, array_position($1, conrelid::regclass::text)`,
    [tables],
  )
  const { rows: indexes } = await owner.query<{ name: string; definition: string; method: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition, amname as method
     from pg_index join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam
     where indrelid::regclass::text = any($1) and not exists (select from pg_constraint where conindid = indexrelid)
     order by amname = 'gin' desc`, // The slowest first, so that others are built in parallel.
    [tables],
  )
  for (const table of tables) await owner.query(`alter table ${table} disable trigger user`)
  for (const { name, table } of constraints) await owner.query(`alter table ${table} drop constraint ${name}`)
  for (const { name } of indexes) await owner.query(`drop index ${name}`)
  const add = ({ name, table, definition }: Constraint) => `alter table ${table} add constraint ${name} ${definition}`
  return {
    keys: constraints.filter(({ kind }) => kind !== 'f').map(add),
    indexes: indexes.map(({ definition }) => definition),
    references: constraints.filter(({ kind }) => kind === 'f').map(add),
  }
}

/** Recreates them, with one build per client at a time, then vacuums the tables. */
export async function rebuildIndexes(
  clients: readonly Client[],
  dropped: Dropped,
  tables: readonly string[],
): Promise<void> {
  // PostgreSQL builds B-tree indexes in parallel, GIN indexes in one process.
  for (const client of clients)
    await client.query(`set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 4`)
  await shared(clients, dropped.keys)
  await shared(clients, [...dropped.indexes, ...dropped.references])
  await shared(
    clients,
    tables.map((table) => `alter table ${table} enable trigger user`),
  )
  await shared(
    clients,
    tables.map((table) => `vacuum ${table}`),
  )
}

async function shared(clients: readonly Client[], statements: readonly string[]): Promise<void> {
  const left = statements[Symbol.iterator]()
  await Promise.all(
    clients.map(async (client) => {
      for (const statement of left) await client.query(statement)
    }),
  )
}
