import { join } from 'node:path'
import { Client } from 'pg'
import {
  createRolesAndDatabase,
  type LocalPostgres,
  startPostgres,
} from '../../server/src/platform/database/local-postgres.ts'
import { fullDisk, prepareFiles } from '../full-disk.ts'
import { prepareDatabase } from '../../server/test/harness/prepare-database.ts'
import { serverFaults } from '../server-faults.ts'
import { type SupervisedServer, startSupervisedServer } from '../servers.ts'
import type { Fault, Setup, SetupOptions } from '../setup.ts'
import { prepareAsOlder, upgradeFaults } from '../upgrade.ts'

/** One server and one database. */
export function startSingle(options: SetupOptions): Promise<Setup> {
  return startServersOnOne(options, 1)
}

/** One database without a standby and this many servers; the first is also the worker. */
export async function startServersOnOne(options: SetupOptions, count: number): Promise<Setup> {
  const { directory, plant, older, log, cleanup } = options
  const places = { data: join(directory, 'data'), socket: join(directory, 'socket'), durable: true }
  let cluster: LocalPostgres = await startPostgres(places)
  cleanup.push(() => cluster.stop())
  const { ownerUrl, appUrl } = await createRolesAndDatabase({ host: cluster.host, database: 'faults' })
  await (older === undefined ? prepareDatabase(ownerUrl) : prepareAsOlder(older, ownerUrl))
  const files = await prepareFiles(join(directory, 'files'))
  cleanup.push(() => files.end())
  const servers: SupervisedServer[] = []
  for (let at = 0; at < count; at++) {
    const server = await startSupervisedServer({
      databaseUrl: appUrl,
      files: files.folder,
      works: at === 0,
      plant,
      older,
      log,
    })
    servers.push(server)
    cleanup.push(() => server.stop())
  }
  const primaryKill: Fault = {
    name: 'kill -9 of PostgreSQL, without a standby',
    counts: ['primary kill'],
    share: 1,
    async inject() {
      await cluster.kill()
      cluster = await startPostgres(places)
    },
  }
  if (older !== undefined) return { servers, ownerUrl, faults: upgradeFaults(servers, ownerUrl, older) }
  const administrator = () => new Client({ host: cluster.host, user: 'postgres', database: 'faults' })
  return {
    servers,
    ownerUrl,
    faults: [...serverFaults(servers, administrator), primaryKill, ...fullDisk(files)],
  }
}
