import { randomUUID } from 'node:crypto'
import { escapeIdentifier } from 'pg'
import { afterAll, inject } from 'vitest'
import { createRolesAndDatabase, withAdministrator } from '../src/platform/database/local-postgres.ts'
import { removeFilesOf } from './files-place.ts'

interface TestDatabase {
  readonly ownerUrl: string
  readonly appUrl: string
  readonly name: string
}

/** A clone of a database, or an empty one, for the calling test file, which calls this outside of its tests and hooks. */
export async function createTestDatabase(
  template: 'seeded' | 'migrated' | 'empty' = 'migrated',
): Promise<TestDatabase> {
  const host = inject('cluster')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const urls = await withAdministrator({ host, database: 'postgres' }, async (administrator) => {
    // Test files take turns; the end of the session ends the lock.
    await administrator.query("select pg_advisory_lock(hashtext('clone of a template'))")
    return createRolesAndDatabase({ host, database: name, ...(template !== 'empty' && { template }) })
  })

  // Hooks run last in, first out: by then, whoever opened the clone after this has closed it.
  afterAll(async () => {
    await withAdministrator({ host, database: 'postgres' }, (administrator) =>
      administrator.query(`drop database ${escapeIdentifier(name)} with (force)`),
    )
    await removeFilesOf(urls.appUrl)
  })
  return { ...urls, name }
}
