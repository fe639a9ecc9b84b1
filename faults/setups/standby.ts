import { join } from 'node:path'
import { Client } from 'pg'
import { createRolesAndDatabase } from '../../server/src/platform/database/local-postgres.ts'
import { fullDisk, prepareFiles } from '../full-disk.ts'
import { prepareDatabase } from '../../server/test/harness/prepare-database.ts'
import { serverFaults } from '../server-faults.ts'
import { type SupervisedServer, startSupervisedServer } from '../servers.ts'
import type { Setup, SetupOptions } from '../setup.ts'
import { standbyFaults } from '../standby-faults.ts'
import { startTcpProxy } from '../tcp-proxy.ts'
import { startReplicatedPair } from '../replicated-pair.ts'

/** Two servers on a primary with a synchronous standby. */
export async function startStandby({ directory, plant, log, cleanup }: SetupOptions): Promise<Setup> {
  const proxy = await startTcpProxy()
  cleanup.push(() => proxy.close())
  const pair = await startReplicatedPair(directory, proxy)
  cleanup.push(() => pair.stop())
  await createRolesAndDatabase({ host: pair.primary.host, database: 'faults' })
  const url = (role: string, database = 'faults') => `postgresql://waypost_${role}@127.0.0.1:${proxy.port}/${database}`
  await prepareDatabase(url('owner'))
  await pair.pairUp()
  const files = await prepareFiles(join(directory, 'files'))
  cleanup.push(() => files.end())
  const servers: SupervisedServer[] = []
  for (const works of [true, false]) {
    const server = await startSupervisedServer({ databaseUrl: url('app'), files: files.folder, works, plant, log })
    servers.push(server)
    cleanup.push(() => server.stop())
  }
  const administrator = () => new Client({ host: pair.primary.host, user: 'postgres', database: 'faults' })
  return {
    servers,
    ownerUrl: url('owner'),
    faults: [
      ...serverFaults(servers, administrator),
      ...standbyFaults(pair, (database) => url('owner', database)),
      ...fullDisk(files),
    ],
  }
}
