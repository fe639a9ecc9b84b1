import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createContext } from '../../../src/context.ts'
import type { Failpoint } from '../../../src/platform/operation/failpoints.ts'
import { type Config, readConfig } from '../../../src/platform/operation/config.ts'
import { startApache } from '../../../src/repositories/disk/start-apache.ts'
import type { TestClient } from '../../harness/client.ts'
import { filesEnvironment } from '../../harness/storage-settings.ts'
import { createRepeatableRandom, type RepeatableRandom } from '../fuzz/random.ts'
import { MARA, type TestPerson, TOM, UMA } from '../../fixtures/people.ts'
import { ORCHARD } from '../../fixtures/seed-ids.ts'
import { freePort } from '../../../src/platform/operation/free-port.ts'
import { SECRET_KEY } from '../../harness/server-process.ts'
import { createSvnClient, svnEnvironment } from '../../peers/svn-client.ts'
import { mountSmallDisk, type SmallDisk } from '../../peers/small-disk.ts'
import { makeReferenceTracker } from '../../fixtures/svn-reference-tracker.ts'
import { checkRepository } from './check.ts'
import { createCommitter } from './committer.ts'
import { supervise, type Supervised } from './supervisor.ts'
import { closePools } from '../../../src/platform/database/pools.ts'

export interface SvnKillOptions {
  readonly appUrl: string
  readonly commits: number
  readonly clients: number
  readonly serverKills: number
  readonly apacheKills: number
  readonly seed: string
}

export interface SvnKillFigures {
  readonly commits: number
  readonly revisions: number
  readonly crashed: readonly Failpoint[]
  readonly serverKills: number
  readonly apacheKills: number
  /** False if no disk can be mounted here. */
  readonly hadFullDisk: boolean
  /** The client errors, with their counts. */
  readonly refusals: ReadonlyMap<string, number>
  readonly seconds: number
}

const DISK_MEGABYTES = 128
const CREATE_TIMEOUT_MS = 180_000
const CREATING = ['svn.created', 'svn.placed'] as const
const COMMITTING = ['svn.commit_allowed', 'svn.commit_unrecorded', 'svn.commit_recorded'] as const
const PEOPLE = [TOM, MARA, UMA] as const
const AWAY = 'Waypost cannot be reached'
/** The response to a HEAD has no body, so its client knows only the status. */
const NO_TEXT = "^svnmucc: E175002: Unexpected server error 500 'Internal Server Error' on '[^!']*'"
/** Acceptable errors of a refused commit: the server is unavailable, or Apache does not respond. */
const CLEAR = new RegExp(`${AWAY}|${NO_TEXT}|Connection (refused|reset)|connection was closed|E170013|E120108`, 'i')

/**
 * Real clients commit through Apache while the server is killed at random and at each failpoint, Apache is killed, and
 * the disk fills up. At the end every commit is one revision, recorded once, with all its effects.
 */
export async function killSubversion(killing: SvnKillOptions): Promise<SvnKillFigures> {
  const ends: (() => unknown)[] = []
  const began = Date.now()
  try {
    const random = createRepeatableRandom(killing.seed)
    const subversion = await svnEnvironment()
    const root = subversion.WAYPOST_SVN_ROOT
    await mkdir(root, { recursive: true })
    ends.push(() => rm(root, { recursive: true, force: true }))
    const disk = mountSmallDisk(root, DISK_MEGABYTES)
    if (disk) ends.push(() => disk.unmount())
    if (disk) process.once('exit', () => disk.unmount()) // Unmounts the disk also on an early exit.
    const environment = {
      WAYPOST_ENVIRONMENT: 'test',
      WAYPOST_SECRET_KEYS: SECRET_KEY,
      WAYPOST_PUBLIC_URL: 'https://waypost.example',
      WAYPOST_DATABASE_URL: killing.appUrl,
      WAYPOST_LOG_LEVEL: 'fatal',
      WAYPOST_PORT: String(await freePort()),
      WAYPOST_ROLES: 'api,worker',
      ...subversion,
      ...filesEnvironment(killing.appUrl),
    }
    const config = readConfig(environment)
    const context = await createContext(config)
    ends.push(() => closePools(context.pools))
    const apache = await startRestartableApache(config)
    ends.push(() => apache.stop())
    const crashes = [
      ...CREATING.map((at) => ({ at, pass: 1 })),
      ...COMMITTING.map((at) => ({ at, pass: random.integer(1, 2) })),
    ]
    const server = await supervise(environment, crashes)
    ends.push(() => server.stop())
    const work = await mkdtemp(join(tmpdir(), 'waypost-svn-kills-'))
    await chmod(work, 0o700)
    ends.push(() => rm(work, { recursive: true, force: true }))
    const client = createSvnClient(work)

    const repository = await createUnderKills(server)
    const url = `${subversion['WAYPOST_SVN_URL']}/orchard/core`
    const plant = await makeReferenceTracker(server.api)
    const artifacts = [plant.id, await plant.create(), await plant.create()] as const
    const refusals: string[] = []
    const faults = planFaults(random, killing, {
      server: async () => {
        await pause(random.integer(0, 400))
        await server.kill()
      },
      apache: async () => {
        await pause(random.integer(0, 400))
        await apache.kill()
      },
    })

    const commits = new Map<string, number>()
    const refused: string[] = []
    let [begun, faulting] = [0, Promise.resolve()]
    const commitAll = async (number: number) => {
      const person: TestPerson = PEOPLE[number % PEOPLE.length] ?? TOM
      const committer = createCommitter({ client, person, url, number, refusals: refusals })
      while (begun < killing.commits || server.left() > 0) {
        const at = ++begun
        for (const fault of faults.get(at) ?? []) faulting = faulting.then(fault)
        const artifact = random.pick(artifacts)
        const token = `[${number}-${at}]`
        commits.set(token, artifact)
        await committer.commit(token, `Work on art #${artifact}`, random.integer(1, 300_000))
      }
    }
    await Promise.all(Array.from({ length: killing.clients }, (_, number) => commitAll(number)))
    await faulting
    const putRefused = async (token: string, why: RegExp) => {
      refused.push(token)
      const { code, error } = await client.put(
        TOM,
        `${url}/trunk/${token}`,
        randomBytes(3_000_000).toString('base64'),
        `Never ${token}`,
      )
      if (code === 0 || !why.test(error)) throw new Error(`Not refused for ${why.source}: ${error}`)
    }
    const unclear = refusals.find((text) => !CLEAR.test(text))
    if (unclear !== undefined) {
      const log = await readFile(join(root, 'apache', 'error.log'), 'utf8')
      throw new Error(`Nobody understands this: ${unclear}\nApache logged:\n${log}`)
    }
    await server.whileAway(() => putRefused('[away]', new RegExp(AWAY)))
    if (disk) await whileFull(disk, () => putRefused('[full]', /E000028|No space left on device/))
    commits.set('[after]', plant.id)
    const after = await client.put(
      TOM,
      `${url}/trunk/after`,
      'There is room again.',
      `Work on art #${plant.id} [after]`,
    )
    if (after.code !== 0) throw new Error(after.error)

    const revisions = await checkRepository({
      context,
      api: server.api,
      repository,
      folder: join(root, 'repositories', 'orchard', 'core'),
      commits,
      refused,
      referencesOf: plant.references,
    })
    return {
      commits: commits.size,
      revisions,
      crashed: server.crashed,
      serverKills: killing.serverKills + 1,
      apacheKills: killing.apacheKills,
      hadFullDisk: disk !== undefined,
      refusals: counted(refusals),
      seconds: Math.round((Date.now() - began) / 1000),
    }
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}

/** Leaves some bytes, so that a refused commit can begin. */
async function whileFull(disk: SmallDisk, doing: () => Promise<void>): Promise<void> {
  await disk.fill(2 ** 20)
  try {
    await doing()
  } finally {
    await disk.empty()
  }
}

/** Repeats the same request: a killed server leaves nothing, and does not claim the name. */
async function createUnderKills({ api, crashed }: Supervised): Promise<number> {
  const body = { project_id: ORCHARD, name: 'core', settings: { layout: ['trunk'] } }
  let last = ''
  for (const end = Date.now() + CREATE_TIMEOUT_MS; Date.now() < end; await pause(50)) {
    const answer = await api.post('/svn', { as: MARA, body }).catch((error: unknown) => void (last = String(error)))
    last = answer?.text ?? last
    const list = await listed(api)
    if (answer?.status === 201) {
      if (list?.length !== 1 || crashed.length !== CREATING.length)
        throw new Error(`${String(list?.length)} are there after ${crashed.join(', ')}.`)
      return Number(answer.json.id)
    }
    if (answer && answer.status < 500) throw new Error(answer.text)
    if (list && list.length > 0) throw new Error('Nobody was told that it is there, and it is.')
  }
  throw new Error(`It was never created: ${last}`)
}

/** Undefined: no server responds. */
async function listed(api: TestClient): Promise<unknown[] | undefined> {
  const answer = await api.get(`/projects/${ORCHARD}/svn?query={"name":"core"}`, { as: MARA }).catch(() => undefined)
  return answer?.json.repositories
}

/** The faults, by commit number. */
function planFaults(
  random: RepeatableRandom,
  { commits, serverKills, apacheKills }: SvnKillOptions,
  { server, apache }: { server: () => Promise<void>; apache: () => Promise<void> },
): ReadonlyMap<number, (() => Promise<void>)[]> {
  const faults = [
    ...Array.from({ length: serverKills }, () => server),
    ...Array.from({ length: apacheKills }, () => apache),
  ]
  return Map.groupBy(faults, () => random.integer(1, commits))
}

/** An Apache that is restarted after it was killed. */
async function startRestartableApache(config: Config) {
  let apache = await startApache(config)
  return {
    async kill() {
      await apache.kill()
      await pause(200)
      apache = await startApache(config)
    },
    stop: () => apache.stop(),
  }
}

/** Groups the errors by the text that identifies them. */
function counted(refusals: readonly string[]): ReadonlyMap<string, number> {
  const lines = refusals.map((text) => CLEAR.exec(text)?.[0] ?? text)
  return new Map(
    Map.groupBy(lines, (line) => line)
      .entries()
      .map(([line, all]) => [line, all.length]),
  )
}
