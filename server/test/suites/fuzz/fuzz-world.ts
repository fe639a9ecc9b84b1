import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DIRECTORY_DEFAULTS } from '../../../src/accounts/directories/directory-settings.ts'
import { PROVIDER_DEFAULTS } from '../../../src/accounts/identity/provider-settings.ts'
import { type Db, openDatabase } from '../../../src/platform/database/db.ts'
import { APP_ROLE, createRolesAndDatabase, startPostgres } from '../../../src/platform/database/local-postgres.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { storeSeedSnapshot, restoreSeedSnapshot } from '../../fixtures/seed-snapshot.ts'
import { putSeededOnDisk } from '../../fixtures/seeded-on-disk.ts'
import { type ServerProcess, startServerProcess } from '../../harness/server-process.ts'
import { createKnowledge, type Knowledge } from './knowledge.ts'
import { type MailReader, startMailReader } from './mailed-links.ts'
import { type PlantedBug, withPlantedBug } from './planted-bugs.ts'
import { createWireSender, type WireSender } from './send.ts'
import { createServerLog, type ServerLog } from './server-log.ts'
import { FUZZED_PROVIDER } from './recipes-of-accounts.ts'
import { seedSpares } from './spares.ts'

/** A private cluster, database, mail server and server. */
export interface FuzzWorld {
  readonly sender: WireSender
  readonly mails: MailReader
  readonly log: ServerLog
  /** As the owner, with all rights. */
  readonly db: Db
  /** Resets the world to the seed, and returns what is known of it. */
  reseed(): Promise<Knowledge>
  /** Undefined: the server still runs. */
  hasEnded(): string | undefined
  /** The memory of the server in MiB. */
  memory(): Promise<number>
  stop(): Promise<void>
}

const MAX_SEED_ATTEMPTS = 5

/** With a plant, the server appears to have that bug. */
export async function startFuzzWorld(plant?: PlantedBug): Promise<FuzzWorld> {
  const ends: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const end of ends.toReversed()) await end()
  }
  try {
    return await build(ends, stop, plant)
  } catch (error) {
    await stop()
    throw error
  }
}

async function build(
  ends: (() => Promise<unknown>)[],
  stop: () => Promise<void>,
  plant: PlantedBug | undefined,
): Promise<FuzzWorld> {
  const directory = await mkdtemp(join(tmpdir(), 'waypost-fuzz-'))
  ends.push(() => rm(directory, { recursive: true, force: true }))
  await chmod(directory, 0o711) // PostgreSQL may run as another user, who has to enter it.
  const cluster = await startPostgres({
    data: join(directory, 'data'),
    socket: join(directory, 'socket'),
    durable: false,
    settings: { log_min_messages: 'fatal', synchronous_commit: 'off', autovacuum_naptime: '10s' },
  })
  ends.push(() => cluster.stop())
  const { ownerUrl, appUrl } = await createRolesAndDatabase({ host: cluster.host, database: 'fuzz' })
  await migrate({ url: ownerUrl, appRole: APP_ROLE })
  const db = openDatabase({ connectionString: ownerUrl, max: 2 })
  ends.push(() => db.destroy())
  await storeSeedSnapshot(db)

  const mails = await startMailReader()
  ends.push(() => mails.stop())
  const log = createServerLog()
  const environment = {
    WAYPOST_DATABASE_URL: appUrl,
    WAYPOST_FILES: join(directory, 'files'),
    WAYPOST_SVN_ROOT: join(directory, 'svn'),
    WAYPOST_SMTP_URL: mails.url,
    WAYPOST_ROLES: 'api,worker',
  }
  await putSeededOnDisk(environment)
  const server = await startServerProcess(environment, false, (written) => log.take(written))
  ends.push(() => server.stop())
  const sender = createWireSender(server.api.origin)
  ends.push(async () => sender.close())
  return {
    sender: plant ? withPlantedBug(sender, plant) : sender,
    mails,
    log,
    db,
    reseed: () => reseed(db),
    hasEnded: watch(server),
    memory: () => residentMemory(server.pid),
    stop,
  }
}

/** The worker may hold a row lock while the tables are emptied, so a deadlock is possible: retry. */
export async function reseed(db: Db): Promise<Knowledge> {
  for (let attempt = 1; ; attempt++) {
    try {
      const known = createKnowledge()
      await restoreSeedSnapshot(db)
      await seedSpares(db, known)
      await seedProvider(db)
      await seedDirectory(db)
      return known
    } catch (error) {
      if (attempt === MAX_SEED_ATTEMPTS) throw error
      await pause(50 * attempt)
    }
  }
}

/** A provider whose name never resolves: no request leaves this machine. */
async function seedProvider(db: Db): Promise<void> {
  const settings = { ...PROVIDER_DEFAULTS, issuer: 'https://login.fuzz.test', label: 'Fuzzed', client_id: 'waypost' }
  await db
    .insertInto('identity_provider')
    .values({
      name: FUZZED_PROVIDER,
      settings: JSON.stringify({ ...settings, client_authentication: 'none' }),
      secret: null,
      created_on: new Date(),
    })
    .execute()
}

/** The same of a directory. */
async function seedDirectory(db: Db): Promise<void> {
  const settings = { ...DIRECTORY_DEFAULTS, urls: ['ldaps://ldap.fuzz.test'], label: 'Fuzzed', people_base: 'dc=fuzz' }
  await db
    .insertInto('directory')
    .values({ name: FUZZED_PROVIDER, settings: JSON.stringify(settings), secret: null, created_on: new Date() })
    .execute()
}

function watch({ ended }: ServerProcess): () => string | undefined {
  let end: string | undefined
  const wait = async () => {
    end = String(await ended)
  }
  void wait()
  return () => end
}

async function residentMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}
