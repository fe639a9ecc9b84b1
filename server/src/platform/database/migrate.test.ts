import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, inject, test } from 'vitest'
import { query, shape } from '../../../test/harness/schema-shape.ts'
import { createRolesAndDatabase, withAdministrator } from './local-postgres.ts'
import { migrate, missingMigrations } from './migrate.ts'

const host = inject('cluster')
const appRole = 'waypost_app'

interface TestDatabase {
  name: string
  ownerUrl: string
  appUrl: string
}

async function newDatabase(): Promise<TestDatabase> {
  const name = `migrate_${crypto.randomUUID().replaceAll('-', '')}`
  return { name, ...(await createRolesAndDatabase({ host, database: name })) }
}

test('migrations are applied exactly once', async () => {
  const { ownerUrl } = await newDatabase()
  expect(await missingMigrations(ownerUrl)).not.toEqual([])
  expect(await migrate({ url: ownerUrl, appRole })).toContain('0001-platform.sql')
  expect(await migrate({ url: ownerUrl, appRole })).toEqual([])
  expect(await missingMigrations(ownerUrl)).toEqual([])
})

test('several migrations that start at once run one after the other', async () => {
  const { ownerUrl } = await newDatabase()
  const runs = await Promise.all([1, 2, 3].map(() => migrate({ url: ownerUrl, appRole })))
  expect(runs.filter((done) => done.length > 0)).toHaveLength(1)
})

test('a migration waits for a table in use, but never for long', async () => {
  const { ownerUrl, name } = await newDatabase()
  await query(
    ownerUrl,
    'create table migration (name text primary key, checksum text, applied_on timestamptz default now())',
  )
  const reader = new Client({ connectionString: ownerUrl })
  await reader.connect()
  await reader.query('begin; lock table migration in share mode')
  const done = migrate({ url: ownerUrl, appRole })
  const waits: number[] = []
  for (const end = Date.now() + 4000; Date.now() < end; await pause(100))
    for (const { seconds } of await query<{ seconds: number }>(
      ownerUrl,
      `select extract(epoch from clock_timestamp() - waitstart)::float as seconds from pg_locks
       where not granted and database = (select oid from pg_database where datname = '${name}')`,
    ))
      waits.push(seconds)
  await reader.query('rollback')
  await reader.end()

  expect(await done).toContain('0001-platform.sql')
  expect(waits.length).toBeGreaterThan(0)
  expect(Math.max(...waits)).toBeLessThan(3)
})

test('a migration that was changed after it landed is refused', async () => {
  const { ownerUrl } = await newDatabase()
  await migrate({ url: ownerUrl, appRole })
  await query(ownerUrl, `update migration set checksum = 'other' where name = '0001-platform.sql'`)
  await expect(migrate({ url: ownerUrl, appRole })).rejects.toThrow('0001-platform.sql was changed')
})

test('the role of the servers may change rows, but no table and no row of the audit log', async () => {
  const { ownerUrl, appUrl } = await newDatabase()
  await migrate({ url: ownerUrl, appRole })
  await query(appUrl, `insert into audit (action, outcome) values ('try', 'done')`)
  for (const refused of [
    `update audit set action = 'other'`,
    'delete from audit',
    'truncate audit',
    'drop table audit',
    'create table mine (id int)',
    `insert into migration (name, checksum) values ('x', 'y')`,
  ])
    await expect(query(appUrl, refused)).rejects.toThrow(/permission denied|must be owner/)
})

test('a new database has no account and no access key', async () => {
  const { ownerUrl } = await newDatabase()
  await migrate({ url: ownerUrl, appRole })
  expect(await query(ownerUrl, 'select id from account')).toEqual([])
  expect(await query(ownerUrl, 'select id from access_key')).toEqual([])
})

test('ids start at the first id of the cell', async () => {
  const { ownerUrl } = await newDatabase()
  await migrate({ url: ownerUrl, appRole, cell: 3 })
  const [row] = await query<{ id: string }>(ownerUrl, `insert into event (type) values ('first') returning id`)
  expect(Number(row?.id)).toBe(3 * 2 ** 40 + 101)
})

test('a migration that is killed at any statement and run again gives the same schema', {
  timeout: 240_000,
}, async () => {
  const whole = await newDatabase()
  const statements = await countStatements(whole, Number.MAX_SAFE_INTEGER)
  const wanted = await shape(whole.ownerUrl)

  // WAYPOST_EVERY_STATEMENT=1 tests every statement; the default is a sample.
  const step = process.env['WAYPOST_EVERY_STATEMENT'] ? 1 : Math.ceil(statements / 4)
  for (let nth = 1; nth <= statements; nth += step) {
    const attempt = await newDatabase()
    await expect(countStatements(attempt, nth)).rejects.toThrow(/nothing of it was kept|terminat|connection/i)
    await administer(attempt, 'drop event trigger die')
    await migrate({ url: attempt.ownerUrl, appRole })
    expect(await shape(attempt.ownerUrl)).toEqual(wanted)
  }
})

/** Migrates a database that terminates the session at the nth schema change; returns the number of changes. */
async function countStatements(database: TestDatabase, nth: number): Promise<number> {
  await administer(
    database,
    `create schema counter;
     create sequence counter.passed; -- Outside of every transaction: a roll-back does not turn it back.
     grant usage on schema counter to public; grant usage on sequence counter.passed to public;
     create function counter.die() returns event_trigger security definer language plpgsql as
       $$ begin if nextval('counter.passed') = ${nth} then perform pg_terminate_backend(pg_backend_pid()); end if; end $$;
     create event trigger die on ddl_command_end execute function counter.die()`,
  )
  await migrate({ url: database.ownerUrl, appRole })
  const [row] = await administer<{ passed: string }>(database, 'select last_value as passed from counter.passed')
  return Number(row?.passed)
}

async function administer<Row extends object>({ name }: TestDatabase, text: string): Promise<Row[]> {
  return withAdministrator(
    { host, database: name },
    async (administrator) => (await administrator.query<Row>(text)).rows,
  )
}
