import { randomUUID } from 'node:crypto'
import { escapeIdentifier } from 'pg'
import { afterAll, inject } from 'vitest'
import { type Db, openDatabase } from '../../src/platform/database/db.ts'
import { createRolesAndDatabase, withAdministrator } from '../../src/platform/database/local-postgres.ts'
import { removeFilesOf } from './storage-settings.ts'

interface TestDatabase {
  readonly ownerUrl: string
  readonly appUrl: string
  readonly name: string
}

type Template = 'seeded' | 'migrated' | 'empty'

/** Clones a template, or creates an empty database, for the calling test file. Call it outside of tests and hooks. */
export async function createTestDatabase(template: Template = 'migrated'): Promise<TestDatabase> {
  const host = inject('cluster')
  const database = await clone(template)

  // Hooks run last in, first out: later users of the clone have closed it by then.
  afterAll(async () => {
    await withAdministrator({ host, database: 'postgres' }, (administrator) =>
      administrator.query(`drop database ${escapeIdentifier(database.name)} with (force)`),
    )
    await removeFilesOf(database.appUrl)
  })
  return database
}

interface SeededDatabase extends TestDatabase {
  readonly owner: Db
}

// Module state lives as long as the test worker.
const free: SeededDatabase[] = []

/** A database with the seeded world, reused by the next test file of this worker: seeding removes all changed rows. */
export async function borrowSeededDatabase(): Promise<SeededDatabase> {
  const borrowed = free.pop() ?? (await cloneSeeded())
  afterAll(async () => {
    await removeFilesOf(borrowed.appUrl)
    free.push(borrowed)
  })
  return borrowed
}

async function cloneSeeded(): Promise<SeededDatabase> {
  const database = await clone('seeded')
  // A test may leave ten thousand rows, which a slow machine cannot delete within the statement timeout.
  return { ...database, owner: openDatabase({ connectionString: database.ownerUrl, statement_timeout: 0 }) }
}

async function clone(template: Template): Promise<TestDatabase> {
  const host = inject('cluster')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const urls = await withAdministrator({ host, database: 'postgres' }, async (administrator) => {
    // Serializes the workers; the lock ends with the session.
    await administrator.query("select pg_advisory_lock(hashtext('clone of a template'))")
    return createRolesAndDatabase({ host, database: name, ...(template !== 'empty' && { template }) })
  })
  return { ...urls, name }
}
