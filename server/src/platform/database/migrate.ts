import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { runMigrations } from 'graphile-worker'
import { Client } from 'pg'
import { waitedTooLong } from './faults.ts'

const FOLDER = new URL('../../../migrations/', import.meta.url)
// Who waits for a table makes all others wait who come later, readers too: rather not for long, and again.
const LOCK_PATIENCE = '2s'
const TRIES = 60
const BETWEEN_TRIES = 1000

interface MigrateOptions {
  /** Connects as the role that owns the schema. */
  url: string
  /** The role that the servers use: it may read and write rows, and change no table. */
  appRole: string
  /** 0 to 8191: every id of this installation begins at `cell * 2^40 + 101`, so that an id names its home. */
  cell?: number
}

interface Migration {
  name: string
  text: string
  checksum: string
}

/**
 * Applies what is new in `migrations/`, in order of name. Each file is one transaction with its row in the ledger, so
 * that a kill at any statement leaves it undone as a whole; servers that start together take turns.
 */
export async function migrate({ url, appRole, cell = 0 }: MigrateOptions): Promise<string[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {}) // A lost connection is told by the statement that needed it.
  await client.connect()
  try {
    await client.query(`select pg_advisory_lock(hashtext('waypost migrate'))`)
    await client.query(`create table if not exists migration (
      name text primary key, checksum text not null, applied_on timestamptz not null default now())`)
    const done = []
    for (const migration of await pendingMigrations(client)) {
      await apply(client, migration)
      done.push(migration.name)
    }
    await runMigrations({ connectionString: url })
    if (done.length > 0) await startSequencesAt(client, cell * 2 ** 40 + 101)
    await grantTo(client, appRole)
    return done
  } finally {
    await client.end() // Ends the session, and with it the advisory lock.
  }
}

/** Names of migrations that this code has and the database has not. */
export async function missingMigrations(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(`select to_regclass('migration') is not null as known`)
    if (!rows[0].known) return (await readMigrations()).map(({ name }) => name)
    return (await pendingMigrations(client)).map(({ name }) => name)
  } finally {
    await client.end()
  }
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, FOLDER), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

async function pendingMigrations(client: Client): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migration')
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  const migrations = await readMigrations()
  for (const { name, checksum } of migrations) {
    const known = applied.get(name)
    if (known !== undefined && known !== checksum)
      throw new Error(`${name} was changed after it had been applied. A migration is frozen once it has landed.`)
  }
  return migrations.filter(({ name }) => !applied.has(name))
}

async function apply(client: Client, migration: Migration): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      await applyOnce(client, migration)
      return
    } catch (error) {
      await client.query('rollback').catch(() => {})
      if (!waitedTooLong(error) || tries === TRIES)
        throw new Error(`Migration ${migration.name} failed; nothing of it was kept.`, { cause: error })
      await pause(BETWEEN_TRIES)
    }
}

async function applyOnce(client: Client, { name, text, checksum }: Migration): Promise<void> {
  await client.query('begin')
  await client.query(`set local lock_timeout = '${LOCK_PATIENCE}'`)
  await client.query(text)
  await client.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum])
  await client.query('commit')
}

/** Ids up to 100 are reserved. */
async function startSequencesAt(client: Client, first: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I', sequencename) as name from pg_sequences
     where schemaname = current_schema() and coalesce(last_value, 0) < $1 and start_value < $1`,
    [first],
  )
  for (const { name } of rows) await client.query(`alter sequence ${name} start with ${first} restart`)
}

/** The audit log is append-only: the servers' role can neither change nor remove a row of it. */
async function grantTo(client: Client, role: string): Promise<void> {
  const app = client.escapeIdentifier(role)
  await client.query(`
    grant usage on schema public, graphile_worker to ${app};
    grant select, insert, update, delete on all tables in schema public, graphile_worker to ${app};
    grant usage, select on all sequences in schema public, graphile_worker to ${app};
    grant execute on all functions in schema public, graphile_worker to ${app};
    revoke update, delete, truncate on audit from ${app};
    revoke insert, update, delete on migration from ${app};`)
  // The job engine turns row security on and leaves it to its owner to say who may pass.
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'graphile_worker' and rowsecurity`,
  )
  for (const { name } of rows)
    await client.query(
      `drop policy if exists waypost on ${name}; create policy waypost on ${name} to ${app} using (true)`,
    )
}
