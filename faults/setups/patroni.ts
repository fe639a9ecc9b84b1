import { join } from 'node:path'
import { Client } from 'pg'
import { createRolesAndDatabase } from '../../server/src/platform/database/local-postgres.ts'
import { prepareFiles } from '../full-disk.ts'
import { startPatroniCluster } from '../patroni-cluster.ts'
import { patroniFaults } from '../patroni-faults.ts'
import { prepareDatabase } from '../../server/test/harness/prepare-database.ts'
import { serverFaults } from '../server-faults.ts'
import { type SupervisedServer, startSupervisedServer } from '../servers.ts'
import type { Setup, SetupOptions } from '../setup.ts'

/** Two servers on HAProxy and three hosts under Patroni, in strict synchronous mode. */
export async function startPatroni({ directory, plant, log, cleanup }: SetupOptions): Promise<Setup> {
  const cluster = await startPatroniCluster(directory, cleanup)
  const { address } = await cluster.leader()
  await createRolesAndDatabase({ host: address, database: 'faults' })
  const url = (role: string) => `postgresql://${role}@127.0.0.1:${cluster.port}/faults`
  await prepareDatabase(url('waypost_owner'))
  const files = await prepareFiles(join(directory, 'files'))
  cleanup.push(() => files.end())
  const servers: SupervisedServer[] = []
  for (const works of [true, false]) {
    const server = await startSupervisedServer({
      databaseUrl: url('waypost_app'),
      files: files.folder,
      works,
      plant,
      log,
    })
    servers.push(server)
    cleanup.push(() => server.stop())
  }
  const administrator = () => new Client({ connectionString: url('postgres') })
  // Mostly faults that only this set-up can have.
  const onServers = serverFaults(servers, administrator).map((fault) => ({ ...fault, share: 1 }))
  return {
    servers,
    ownerUrl: url('waypost_owner'),
    faults: [...onServers, ...patroniFaults(cluster)],
  }
}
