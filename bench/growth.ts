import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client as Postgres } from 'pg'
import { formatAccessKey } from '../server/src/accounts/access-keys/access-key.ts'
import { NEEDLE } from '../server/src/accounts/seed-accounts.ts'
import { seedDatabase } from '../server/src/commands/seed.ts'
import { toId } from '../server/src/platform/database/ids.ts'
import { APP_ROLE, createRolesAndDatabase, startPostgres } from '../server/src/platform/database/local-postgres.ts'
import { migrate } from '../server/src/platform/database/migrate.ts'
import { sha256 } from '../server/src/platform/operation/secrets.ts'
import { createTestClient } from '../server/test/harness/client.ts'
import { startServerProcess } from '../server/test/harness/server-process.ts'
import { median } from '../server/test/harness/median.ts'

interface Size {
  users: number
  projects: number
}

export interface Growth {
  operation: string
  small_p50_ms: number
  large_p50_ms: number
  ratio: number
  rows: number
}

const KEY = { prefix: 'tlp', id: toId<never>(90_001), secret: Buffer.alloc(32, 7) }
const OPERATIONS = [
  ['GET /projects', '/projects'],
  ['GET /projects?limit=50', '/projects?limit=50'],
  ['GET /users?query=', `/users?query=${NEEDLE.name}`],
  ['GET /users/self/membership', '/users/self/membership'],
  ['GET /users/self/membership (full)', '/users/self/membership?scope=project&format=full'],
] as const

/** The same calls on a small and a large installation, alternately, so that fluctuations of the machine affect both. */
export async function measureGrowth(small: Size, large: Size, samples: number): Promise<Growth[]> {
  const directory = await mkdtemp(join(tmpdir(), 'waypost-bench-'))
  await chmod(directory, 0o711) // PostgreSQL may run as another user, who needs to traverse it.
  const postgres = await startPostgres({
    data: join(directory, 'data'),
    socket: join(directory, 'socket'),
    durable: true,
  })
  try {
    const urls = await Promise.all([install(postgres.host, 'small', small), install(postgres.host, 'large', large)])
    const servers = await Promise.all(
      urls.map((url) => startServerProcess({ WAYPOST_DATABASE_URL: url, WAYPOST_LOG_LEVEL: 'error' })),
    )
    const clients = servers.map(({ api }) => createTestClient(api.origin))
    const results = []
    for (const [operation, path] of OPERATIONS) results.push(await compare(operation, path, clients, samples))
    await Promise.all(servers.map((server) => server.stop()))
    return results
  } finally {
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function install(host: string, database: string, { users, projects }: Size): Promise<string> {
  const { ownerUrl, appUrl } = await createRolesAndDatabase({ host, database })
  await migrate({ url: ownerUrl, appRole: APP_ROLE })
  await seedDatabase(ownerUrl, { users, projects, members: 20, seed: 20260301 })
  const client = new Postgres({ connectionString: ownerUrl })
  await client.connect()
  await client.query(
    `insert into access_key (id, account_id, prefix, digest, scopes, created_on)
     values ($1, (select min(id) from account), $2, $3, '{write:rest}', now())`,
    [KEY.id, KEY.prefix, sha256(KEY.secret)],
  )
  await client.query('vacuum analyze')
  await client.end()
  return appUrl
}

async function compare(
  operation: string,
  path: string,
  clients: ReturnType<typeof createTestClient>[],
  samples: number,
): Promise<Growth> {
  const times: number[][] = clients.map(() => [])
  let rows = 0
  for (let turn = 0; turn < samples + 20; turn++) {
    for (const [index, client] of clients.entries()) {
      const began = performance.now()
      const answer = await client.get(path, { headers: { 'x-auth-accesskey': formatAccessKey(KEY) } })
      const took = performance.now() - began
      if (answer.status !== 200) throw new Error(`${operation}: ${answer.status} ${answer.text}`)
      rows = answer.json.length
      if (turn >= 20) times[index]?.push(took) // The first calls warm caches and code.
    }
  }
  const [small_p50_ms = 0, large_p50_ms = 0] = times.map(median)
  return { operation, small_p50_ms, large_p50_ms, ratio: large_p50_ms / small_p50_ms, rows }
}
