import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { APP_ROLE, createRolesAndDatabase, startPostgres } from '../../src/platform/database/local-postgres.ts'
import { openDatabase } from '../../src/platform/database/db.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { storeSeedSnapshot } from '../fixtures/seed-snapshot.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory of the cluster's socket; it listens on no port. */
    cluster: string
  }
}

/** Starts the shared services before the first test; returns a function to stop them. */
export default async function startShared(project: TestProject): Promise<() => Promise<void>> {
  const stopS3 = await startS3()
  try {
    const stopCluster = await startCluster(project)
    return async () => {
      await stopCluster()
      await stopS3()
    }
  } catch (error) {
    await stopS3()
    throw error
  }
}

/** Only on request: `npm run test:s3`. Test workers inherit the variable. */
async function startS3(): Promise<() => Promise<void>> {
  if (process.env['WAYPOST_TEST_S3'] !== '1') return async () => {}
  const { startCeph } = await import('../peers/ceph.ts')
  const { s3, stop } = await startCeph()
  process.env['WAYPOST_TEST_S3'] = JSON.stringify(s3)
  return stop
}

// Disables durability: this cluster is never recovered after a crash.
const WITHOUT_PAPERWORK = {
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  checkpoint_timeout: '1h',
  max_wal_size: '4GB',
  autovacuum: 'off', // It runs at random times, and changes plans.
}

/** Starts a temporary PostgreSQL with the template databases `migrated` and `seeded`; returns a function to stop it. */
async function startCluster(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'waypost-test-'))
  await chmod(directory, 0o711) // PostgreSQL may run as another user, who has to enter it.
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    const cluster = await startPostgres({
      data: join(directory, 'data'),
      socket: join(directory, 'socket'),
      durable: false,
      settings: { max_connections: '300', log_min_messages: 'fatal', ...WITHOUT_PAPERWORK },
    })
    const stop = async () => {
      await cluster.stop()
      await remove()
    }
    await makeTemplates(cluster.host).catch(async (error: unknown) => {
      await stop()
      throw error
    })
    project.provide('cluster', cluster.host)
    return stop
  } catch (error) {
    await remove()
    throw error
  }
}

async function makeTemplates(host: string): Promise<void> {
  const { ownerUrl } = await createRolesAndDatabase({ host, database: 'migrated' })
  await migrate({ url: ownerUrl, appRole: APP_ROLE })
  const seeded = await createRolesAndDatabase({ host, database: 'seeded', template: 'migrated' })
  const db = openDatabase({ connectionString: seeded.ownerUrl })
  try {
    await storeSeedSnapshot(db)
  } finally {
    await db.destroy()
  }
}
