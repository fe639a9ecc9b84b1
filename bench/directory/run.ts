import { join } from 'node:path'
import { sql } from 'kysely'
import { type Directory, findDirectory } from '../../server/src/accounts/directories/directory.ts'
import { DIRECTORY_DEFAULTS, type SyncCounts } from '../../server/src/accounts/directories/directory-settings.ts'
import { syncDirectory } from '../../server/src/accounts/directories/sync/sync-directory.ts'
import { seedDatabase } from '../../server/src/commands/seed.ts'
import { createContext } from '../../server/src/context.ts'
import { APP_ROLE, createRolesAndDatabase, startPostgres } from '../../server/src/platform/database/local-postgres.ts'
import { migrate } from '../../server/src/platform/database/migrate.ts'
import { closePools } from '../../server/src/platform/database/pools.ts'
import { readConfig } from '../../server/src/platform/operation/config.ts'
import type { Context } from '../../server/src/platform/operation/context.ts'
import { GROUPS_BASE, PEOPLE_BASE, READER, type Slapd, startSlapd } from '../../server/test/peers/slapd.ts'
import { type DirectorySize, largeDirectory } from './large-directory.ts'

export interface DirectoryFigures extends DirectorySize {
  readonly first_seconds: number
  /** Without a change. */
  readonly second_seconds: number
  readonly first: SyncCounts
  readonly second: SyncCounts
  /** The resident memory of this process after both. */
  readonly memory_mb: number
}

const NAME = 'large'

/** The first sync of a directory, and one without a change. */
export async function measureDirectory(folder: string, size: DirectorySize): Promise<DirectoryFigures> {
  const postgres = await startPostgres({ data: join(folder, 'data'), socket: join(folder, 'socket'), durable: true })
  try {
    const { ownerUrl, appUrl } = await createRolesAndDatabase({ host: postgres.host, database: NAME })
    await migrate({ url: ownerUrl, appRole: APP_ROLE })
    await seedDatabase(ownerUrl, { users: 100, projects: 10, members: 5, seed: 20260301 })
    const slapd = await startSlapd({ ldif: largeDirectory(size) })
    const context = await createContext(
      readConfig({
        WAYPOST_ENVIRONMENT: 'test',
        WAYPOST_SECRET_KEYS: 'a-secret-key-of-the-bench-that-is-long-enough',
        WAYPOST_PUBLIC_URL: 'https://waypost.example',
        WAYPOST_LOG_LEVEL: 'warn',
        WAYPOST_FILES: join(folder, 'files'),
        WAYPOST_DATABASE_URL: appUrl,
      }),
    )
    try {
      const directory = await addDirectory(context, slapd)
      const [first, first_seconds] = await timed(() => sync(context, directory))
      const [second, second_seconds] = await timed(() => sync(context, directory))
      const memory_mb = Math.round(process.memoryUsage.rss() / 1e6)
      return { ...size, first_seconds, second_seconds, first, second, memory_mb }
    } finally {
      await closePools(context.pools)
      await slapd.close()
    }
  } finally {
    await postgres.stop()
  }
}

/** Twenty groups are mapped to the members of the first project. */
async function addDirectory(context: Context, { secure, ca }: Slapd): Promise<Directory> {
  const { rows } = await sql<{ id: number }>`select min(id) as id from project`.execute(context.db)
  const user_group = `${rows[0]?.id}_3`
  const settings = {
    ...DIRECTORY_DEFAULTS,
    label: NAME,
    urls: [secure],
    ca_certificate: ca,
    bind_dn: READER.dn,
    people_base: PEOPLE_BASE,
    groups_base: GROUPS_BASE,
    is_internal: true,
    new_accounts: 'by_sync',
    group_mappings: Array.from({ length: 20 }, (_, number) => ({ value: `group${number * 10}`, user_group })),
  }
  const secret = context.secrets.encrypt('directory', READER.password)
  await context.db
    .insertInto('directory')
    .values({ name: NAME, settings: JSON.stringify(settings), secret, created_on: new Date() })
    .execute()
  const made = await findDirectory(context.db, NAME)
  if (!made) throw new Error('The directory was not made.')
  return made
}

async function sync(context: Context, directory: Directory): Promise<SyncCounts> {
  const counts = await syncDirectory(context, directory)
  if (!counts) throw new Error('Another run is under way.')
  return counts
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const began = performance.now()
  const result = await work()
  return [result, Math.round((performance.now() - began) / 100) / 10]
}
