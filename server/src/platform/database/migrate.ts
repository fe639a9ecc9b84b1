import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { runMigrations } from 'graphile-worker'
import { Client } from 'pg'
import { isLockTimeout } from './database-errors.ts'

const FOLDER = new URL('../../../migrations/', import.meta.url)
// A waiting table lock blocks all later statements on the table, readers too: wait briefly and retry.
const LOCK_TIMEOUT = '2s'
const MAX_LOCK_ATTEMPTS = 60
const LOCK_RETRY_DELAY_MS = 1000

interface MigrateOptions {
  /** URL of the role that owns the schema. */
  url: string
  /** The role of the servers: it may read and write rows, but change no table. */
  appRole: string
  /**
   * 0 to 8191: every id of this installation starts at `cell * 2^40 + 101`, so that ids are unique across
   * installations.
   */
  cell?: number
}

interface Migration {
  name: string
  text: string
  checksum: string
}

/**
 * Applies new files of `migrations/` in order of name. Each file is one transaction with its row in the ledger, so a
 * kill leaves it undone completely; an advisory lock serializes servers that start together.
 */
export async function migrate({ url, appRole, cell = 0 }: MigrateOptions): Promise<string[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {}) // The statement that needs a lost connection reports it.
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
    await client.end() // Ends the session, which releases the advisory lock.
  }
}

/** Names of migrations that the code has and the database lacks. */
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
      if (!isLockTimeout(error) || tries === MAX_LOCK_ATTEMPTS)
        throw new Error(`Migration ${migration.name} failed; nothing of it was kept.`, { cause: error })
      await pause(LOCK_RETRY_DELAY_MS)
    }
}

async function applyOnce(client: Client, { name, text, checksum }: Migration): Promise<void> {
  await client.query('begin')
  await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
  await client.query(text)
  await client.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum])
  await client.query('commit')
}

/** Ids up to 100 are reserved. A sequence with another increment numbers no ids. */
async function startSequencesAt(client: Client, first: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I', sequencename) as name from pg_sequences
     where schemaname = current_schema() and increment_by = 1 and coalesce(last_value, 0) < $1 and start_value < $1`,
    [first],
  )
  for (const { name } of rows) await client.query(`alter sequence ${name} start with ${first} restart`)
}

/** The audit log is append-only: the role of the servers can neither change nor delete a row of it. */
async function grantTo(client: Client, role: string): Promise<void> {
  const app = client.escapeIdentifier(role)
  await client.query(`
    grant usage on schema public, graphile_worker to ${app};
    grant select, insert, update, delete on all tables in schema public, graphile_worker to ${app};
    grant usage, select on all sequences in schema public, graphile_worker to ${app};
    grant execute on all functions in schema public, graphile_worker to ${app};
    revoke update, delete, truncate on audit from ${app};
    revoke insert, update, delete on migration from ${app};`)
  // The job engine enables row security without policies, so the schema owner must add them.
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'graphile_worker' and rowsecurity`,
  )
  for (const { name } of rows)
    await client.query(
      `drop policy if exists waypost on ${name}; create policy waypost on ${name} to ${app} using (true)`,
    )
}
