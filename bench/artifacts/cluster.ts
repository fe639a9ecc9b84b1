import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { print } from '../../server/src/commands/print.ts'
import {
  APP_ROLE,
  createRolesAndDatabase,
  type LocalPostgres,
  startPostgres,
} from '../../server/src/platform/database/local-postgres.ts'
import { migrate } from '../../server/src/platform/database/migrate.ts'
import { SEED } from '../../server/src/artifacts/seeding/chance.ts'
import { checkFilled } from './check-filled.ts'
import { install } from './install.ts'
import type { Ids } from '../../server/src/artifacts/seeding/make-artifact.ts'

export const DATABASE = 'bench'

/** A PostgreSQL with the bench data, durable, as it is shipped. */
export interface Cluster {
  readonly postgres: LocalPostgres
  readonly appUrl: string
  /** What the measured server is given: the same, but for a fault that was planted. */
  readonly serverUrl: string
  readonly ownerUrl: string
  readonly ids: Ids
  readonly size: number
  /** The process of PostgreSQL. */
  readonly pid: number
  /** What PostgreSQL writes down. */
  readonly log: string
  stop(): Promise<void>
}

/** A fault that makes the measurement fail, to see that it does. */
export type Plant = 'slow-query'

interface Note {
  readonly size: number
  readonly seed: number
  readonly ids: Ids
}

/** Opens what an earlier run has left in a folder, or fills it. */
export async function openCluster(size: number, home: string, plant?: Plant): Promise<Cluster> {
  await mkdir(home, { recursive: true })
  await chmod(home, 0o711) // PostgreSQL may run as another user, who has to pass.
  const note = join(home, 'bench.json')
  if (!existsSync(note)) {
    await rm(join(home, 'data'), { recursive: true, force: true }) // A half of an earlier run.
    const ids = await fillCluster(home, size)
    await writeFile(note, JSON.stringify({ size, seed: SEED, ids } satisfies Note))
  }
  const kept: Note = JSON.parse(await readFile(note, 'utf8'))
  if (kept.size !== size || kept.seed !== SEED)
    throw new Error(`${home} holds other data (${kept.size} artifacts): remove it first.`)
  const postgres = await startPostgres({ ...placesIn(home), durable: true })
  const urls = await createRolesAndDatabase({ host: postgres.host, database: DATABASE })
  await migrate({ url: urls.ownerUrl, appRole: APP_ROLE }) // The schema may have gone on since they were filled.
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

/** A server whose queries find nothing by an index, while the engine beside it does. */
function withoutIndexes(appUrl: string): string {
  const ways = ['indexscan', 'indexonlyscan', 'bitmapscan']
  return `${appUrl}&options=${encodeURIComponent(ways.map((way) => `-c enable_${way}=off`).join(' '))}`
}

function placesIn(home: string) {
  return { data: join(home, 'data'), socket: join(home, 'socket') }
}

/** Nothing is worth waiting for while it is filled: whoever is interrupted begins again. */
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
    const installed = await install(ownerUrl, appUrl, size)
    await checkFilled(ownerUrl, installed, size)
    print(`${size} artifacts loaded and checked in ${((Date.now() - began) / 1000).toFixed(0)} s`)
    return installed.ids
  } finally {
    await postgres.stop()
  }
}
