import { join } from 'node:path'
import { Client } from 'pg'
import { createRolesAndDatabase } from '../../server/src/platform/database/local-postgres.ts'
import { fullDisk, prepareFiles } from '../full-disk.ts'
import { prepareDatabase } from '../../server/test/prepare-database.ts'
import { serverFaults } from '../server-faults.ts'
import { type Server, startServer } from '../servers.ts'
import type { Setup, SetupOptions } from '../setup.ts'
import { standbyFaults } from '../standby-faults.ts'
import { openDoor } from '../tcp-door.ts'
import { startTwins } from '../twins.ts'

/** Two servers before a primary with a synchronous standby. */
export async function startStandby({ directory, plant, log, ends }: SetupOptions): Promise<Setup> {
  const door = await openDoor()
  ends.push(() => door.close())
  const twins = await startTwins(directory, door)
  ends.push(() => twins.stop())
  await createRolesAndDatabase({ host: twins.primary.host, database: 'faults' })
  const url = (role: string, database = 'faults') => `postgresql://waypost_${role}@127.0.0.1:${door.port}/${database}`
  await prepareDatabase(url('owner'))
  await twins.pairUp()
  const files = await prepareFiles(join(directory, 'files'))
  ends.push(() => files.end())
  const servers: Server[] = []
  for (const works of [true, false]) {
    const server = await startServer({ databaseUrl: url('app'), files: files.folder, works, plant, log })
    servers.push(server)
    ends.push(() => server.stop())
  }
  const administrator = () => new Client({ host: twins.primary.host, user: 'postgres', database: 'faults' })
  return {
    servers,
    ownerUrl: url('owner'),
    faults: [
      ...serverFaults(servers, administrator),
      ...standbyFaults(twins, (database) => url('owner', database)),
      ...fullDisk(files),
    ],
  }
}
