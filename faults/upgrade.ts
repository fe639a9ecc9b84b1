import { execFile } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { APP_ROLE } from '../server/src/platform/database/local-postgres.ts'
import { migrate } from '../server/src/platform/database/migrate.ts'
import type { CleanupStack } from './cleanup-stack.ts'
import type { SupervisedServer } from './servers.ts'
import type { Fault } from './setup.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const OVERLAP_MS = 10_000

/** In this order, under load. */
export const UPGRADE = ['migrations', 'rolling upgrade', 'rolling back', 'rolling upgrade']

/** Checks out an older version beside this one, with the packages of this one. */
export async function checkOut(revision: string, folder: string, cleanup: CleanupStack): Promise<void> {
  await run('git', ['worktree', 'add', '--quiet', '--detach', folder, revision], { cwd: ROOT })
  cleanup.push(async () => void (await run('git', ['worktree', 'remove', '--force', folder], { cwd: ROOT })))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
}

/** Creates the schema and the test data of an older version by its own code. */
export async function prepareAsOlder(folder: string, ownerUrl: string): Promise<void> {
  const program = `
    const { existsSync } = await import('node:fs')
    const [folder, url, appRole] = process.argv.slice(1)
    const { migrate } = await import(folder + '/server/src/platform/database/migrate.ts')
    const { openDatabase } = await import(folder + '/server/src/platform/database/db.ts')
    const seeds = ['/server/test/fixtures/seed.ts', '/server/test/seed.ts'].map((path) => folder + path)
    const { seed } = await import(seeds.find((path) => existsSync(path)))
    await migrate({ url, appRole })
    const db = openDatabase({ connectionString: url, max: 1 })
    await seed(db)
    await db.destroy()`
  await run(process.execPath, ['--input-type=module', '--eval', program, folder, ownerUrl, APP_ROLE])
}

/** Upgrades from the older version and rolls back, as an operator does. */
export function upgradeFaults(servers: readonly SupervisedServer[], ownerUrl: string, older: string): Fault[] {
  const roll = (version?: string) => async () => {
    for (const server of servers) {
      await server.restart(version)
      await pause(OVERLAP_MS)
    }
  }
  const step = (name: string, inject: Fault['inject']): Fault => ({ name, counts: ['other'], share: 1, inject })
  return [
    step('migrations', async ({ note }) => {
      const done = await migrate({ url: ownerUrl, appRole: APP_ROLE })
      note(`applied: ${done.join(', ')}`)
    }),
    step('rolling upgrade', roll()),
    step('rolling back', roll(older)),
  ]
}
