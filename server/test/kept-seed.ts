import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../src/platform/database/db.ts'
import { nextEpoch, seed, tablesOfWorld } from './seed.ts'

// Most tests begin with the seeded world: written as one statement, it takes a fifth of the time of all that made it.

/** Seeds a database and keeps a copy of the seeded rows in it, for `seedAgain` in it and in all its clones. */
export async function keepSeed(db: Db): Promise<void> {
  await seed(db)
  await sql`create schema seeded`.execute(db)
  const tables = await tablesOfWorld(db)
  const copies: RawBuilder<unknown>[] = []
  for (const name of tables.toReversed()) {
    const copy = sql.table(`seeded.${name}`)
    await sql`create table ${copy} as table ${sql.table(name)}`.execute(db)
    const columns = sql.join((await writtenColumns(db, name)).map((column) => sql.ref(column)))
    const { rows } = await sql`select from ${copy} limit 1`.execute(db)
    if (rows.length > 0)
      copies.push(
        sql`insert into ${sql.table(name)} (${columns}) overriding system value select ${columns} from ${copy};`,
      )
    else await sql`drop table ${copy}`.execute(db)
  }
  await sql`create function seeded.seed_again(epoch bigint) returns void language plpgsql as $$ begin
    perform empty_world(); -- The seed has left it here.
    ${sql.join([...copies, ...(await sequencesOf(db))], sql` `)}
    update project set rights_epoch = epoch; end $$`.execute(db)
  await sql`create function seeded.clean() returns void language plpgsql as $$ begin
    truncate ${sql.join(tables.map((name) => sql.table(name)))}; end $$`.execute(db)
}

const SEEDS_BETWEEN_CLEANINGS = 40
const seeds = new WeakMap<Db, number>()

/** The same world as `seed` makes, in a clone of a database that keeps it. */
export async function seedAgain(db: Db): Promise<void> {
  const count = seeds.get(db) ?? 0
  seeds.set(db, count + 1)
  // What was deleted is in the way of whoever looks for the rest: after a thousand seeds each takes four times as long.
  // Vacuuming would leave estimates of how many rows there are, by which the next tests would be planned.
  if (count % SEEDS_BETWEEN_CLEANINGS === 0) await sql`select seeded.clean()`.execute(db)
  await sql`select seeded.seed_again(${nextEpoch()})`.execute(db)
}

async function writtenColumns(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(db)
  return rows.map(({ name }) => name)
}

/** Every sequence where the seed left it. */
async function sequencesOf(db: Db): Promise<RawBuilder<unknown>[]> {
  const { rows } = await sql<{ name: string; value: string; is_called: boolean }>`
    select format('%I.%I', schemaname, sequencename) as name,
      coalesce(last_value, start_value)::text as value, last_value is not null as is_called
    from pg_sequences where schemaname = 'public'`.execute(db)
  return rows.map(
    ({ name, value, is_called }) =>
      sql`perform setval(${sql.lit(name)}::regclass, ${sql.lit(Number(value))}, ${sql.lit(is_called)});`,
  )
}
