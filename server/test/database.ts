import { randomUUID } from 'node:crypto'
import { escapeIdentifier } from 'pg'
import { afterAll, inject } from 'vitest'
import { type Db, openDatabase } from '../src/platform/database/db.ts'
import { createRolesAndDatabase, withAdministrator } from '../src/platform/database/local-postgres.ts'
import { removeFilesOf } from './files-place.ts'

interface TestDatabase {
  readonly ownerUrl: string
  readonly appUrl: string
  readonly name: string
}

type Template = 'seeded' | 'migrated' | 'empty'

/** A clone of a database, or an empty one, for the calling test file, which calls this outside of its tests and hooks. */
export async function createTestDatabase(template: Template = 'migrated'): Promise<TestDatabase> {
  const host = inject('cluster')
  const database = await clone(template)

  // Hooks run last in, first out: by then, whoever opened the clone after this has closed it.
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

// What a worker of the tests has imported lives as long as the worker does.
const free: SeededDatabase[] = []

/**
 * A database with the seeded world, for the calling test file, and after it for the next one of this worker: whoever
 * only changes rows leaves nothing behind that seeding does not remove.
 */
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
  // What a test has left may be ten thousand rows, which a slow machine takes longer to empty than a request may take.
  return { ...database, owner: openDatabase({ connectionString: database.ownerUrl, statement_timeout: 0 }) }
}

async function clone(template: Template): Promise<TestDatabase> {
  const host = inject('cluster')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const urls = await withAdministrator({ host, database: 'postgres' }, async (administrator) => {
    // Workers take turns; the end of the session ends the lock.
    await administrator.query("select pg_advisory_lock(hashtext('clone of a template'))")
    return createRolesAndDatabase({ host, database: name, ...(template !== 'empty' && { template }) })
  })
  return { ...urls, name }
}
