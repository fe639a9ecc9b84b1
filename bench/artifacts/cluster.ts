import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { print } from '../../server/src/commands/print.ts'
import { BACK_FILLS } from '../../server/src/jobs.ts'
import { completeBackFills } from '../../server/src/platform/database/back-fill.ts'
import { openDatabase } from '../../server/src/platform/database/db.ts'
import {
  APP_ROLE,
  createRolesAndDatabase,
  type LocalPostgres,
  startPostgres,
} from '../../server/src/platform/database/local-postgres.ts'
import { migrate } from '../../server/src/platform/database/migrate.ts'
import { SEED } from '../../server/src/commands/bench-data/chance.ts'
import { checkFilled } from './check-filled.ts'
import { installBench } from './install.ts'
import type { Ids } from '../../server/src/commands/bench-data/generate-artifact.ts'

export const DATABASE = 'bench'

/** A PostgreSQL with the bench data, with durable settings, as it is shipped. */
export interface Cluster {
  readonly postgres: LocalPostgres
  readonly appUrl: string
  /** The URL of the measured server; it differs from `appUrl` only by a planted fault. */
  readonly serverUrl: string
  readonly ownerUrl: string
  readonly ids: Ids
  readonly size: number
  /** The PostgreSQL process. */
  readonly pid: number
  /** The PostgreSQL log. */
  readonly log: string
  stop(): Promise<void>
}

/** A planted fault, to verify that the measurement fails. */
export type BenchFault = 'slow-query'

interface Note {
  readonly size: number
  readonly seed: number
  readonly ids: Ids
}

/** Opens the data of an earlier run, or generates them. */
export async function openCluster(size: number, home: string, plant?: BenchFault): Promise<Cluster> {
  await mkdir(home, { recursive: true })
  await chmod(home, 0o711) // PostgreSQL may run as another user, who needs to traverse it.
  const note = join(home, 'bench.json')
  if (!existsSync(note)) {
    await rm(join(home, 'data'), { recursive: true, force: true }) // Remains of an interrupted run.
    const ids = await fillCluster(home, size)
    await writeFile(note, JSON.stringify({ size, seed: SEED, ids } satisfies Note))
  }
  const kept: Note = JSON.parse(await readFile(note, 'utf8'))
  if (kept.size !== size || kept.seed !== SEED)
    throw new Error(`${home} holds other data (${kept.size} artifacts): remove it first.`)
  const postgres = await startPostgres({ ...placesIn(home), durable: true })
  const urls = await createRolesAndDatabase({ host: postgres.host, database: DATABASE })
  await migrate({ url: urls.ownerUrl, appRole: APP_ROLE }) // The schema may be newer than the data.
  await fillDerivedData(urls.appUrl)
  return {
    postgres,
    ...urls,
    serverUrl: plant === 'slow-query' ? withoutIndexes(urls.appUrl) : urls.appUrl,
    ids: kept.ids,
    size,
    pid: Number((await readFile(join(placesIn(home).data, 'postmaster.pid'), 'utf8')).split('\n')[0]),
    log: `${placesIn(home).data}.log`,
    stop: () => postgres.stop(),
  }
}

/** As a worker would do: no worker runs beside the measurements. */
async function fillDerivedData(appUrl: string): Promise<void> {
  const db = openDatabase({ connectionString: appUrl, max: 1, statement_timeout: 0 })
  try {
    await completeBackFills(db, BACK_FILLS, () => pause(100))
  } finally {
    await db.destroy()
  }
}

/** Disables index scans for the server, but not for the engine. */
function withoutIndexes(appUrl: string): string {
  const ways = ['indexscan', 'indexonlyscan', 'bitmapscan']
  return `${appUrl}&options=${encodeURIComponent(ways.map((way) => `-c enable_${way}=off`).join(' '))}`
}

function placesIn(home: string) {
  return { data: join(home, 'data'), socket: join(home, 'socket') }
}

/** Not durable while loading: an interrupted run starts again. */
async function fillCluster(home: string, size: number): Promise<Ids> {
  const settings = {
    max_wal_size: '4GB',
    shared_buffers: '1GB',
    wal_level: 'minimal',
    max_wal_senders: '0',
    full_page_writes: 'off',
    autovacuum: 'off',
  }
  const postgres = await startPostgres({ ...placesIn(home), durable: false, settings })
  try {
    const began = Date.now()
    const { ownerUrl, appUrl } = await createRolesAndDatabase({ host: postgres.host, database: DATABASE })
    await migrate({ url: ownerUrl, appRole: APP_ROLE })
    const installed = await installBench(ownerUrl, appUrl, size)
    await checkFilled(ownerUrl, installed, size)
    print(`${size} artifacts loaded and checked in ${((Date.now() - began) / 1000).toFixed(0)} s`)
    return installed.ids
  } finally {
    await postgres.stop()
  }
}
