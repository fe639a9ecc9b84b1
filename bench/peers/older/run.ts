// Compares the speed of this checkout with an older one, in alternating rounds: `npm run bench:older -- --checkout <dir>`.
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { print, table } from '../../../server/src/commands/print.ts'
import { createTestClient } from '../../../server/test/harness/client.ts'
import { openCluster } from '../../artifacts/cluster.ts'
import { benchAccessKey } from '../../artifacts/keys.ts'
import { startMeasured } from '../../artifacts/server.ts'
import { median } from '../../../server/test/harness/median.ts'
import { round } from '../../quantiles.ts'
import { measurePeer, type Served } from '../measure.ts'
import { PEER_OPERATIONS, type PeerOperation } from '../requests.ts'
import { medianInterval } from './median-interval.ts'

const LABELS: Partial<Record<PeerOperation, string>> = { get: 'GET', list: 'list', create: 'POST', update: 'PUT' }
/** A change is slower if the whole interval of its ratio is above this. */
const MAX_RATIO = 1.05
const SLOWER = 'slower'

const { values } = parseArgs({
  options: {
    /** A folder with the older checkout, after `npm ci`. */
    checkout: { type: 'string' },
    size: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '15' },
    /** Some of get, list, create and update; all by default. */
    operation: { type: 'string', multiple: true },
  },
})
if (values.checkout === undefined) throw new Error('--checkout names the folder of the older version.')
const older = resolve(values.checkout)

const home = await mkdtemp(join(tmpdir(), 'waypost-older-'))
await chmod(home, 0o711) // PostgreSQL may run as another user, who needs to traverse it.
try {
  process.exitCode = (await compare()) ? 0 : 1
} finally {
  await rm(home, { recursive: true, force: true })
}

/** Whether no operation has become slower. */
async function compare(): Promise<boolean> {
  const size = Number(values.size)
  // Each version has its own data and its own programs: an older server does not start on a newer schema.
  const now = await startVersion(size, join(home, 'new'), { openCluster, startMeasured })
  const before = await startVersion(size, join(home, 'old'), await loadOlder())
  try {
    await requireEqualTrackers(now.served, before.served)
    const rows: string[][] = []
    for (const operation of PEER_OPERATIONS.filter(isMeasured)) {
      const { time, server, database } = await ratiosOf(operation, now.served, before.served)
      const [low, high] = medianInterval(time)
      rows.push([
        LABELS[operation] ?? operation,
        median(time).toFixed(3),
        `${low.toFixed(3)} to ${high.toFixed(3)}`,
        median(server).toFixed(3),
        median(database).toFixed(3),
        low > MAX_RATIO ? SLOWER : 'ok',
      ])
    }
    print(`${await describeRun()}\n`)
    print(table([['new / old', 'time', '95 % of the median', 'server CPU', 'database CPU', ''], ...rows]))
    return !rows.some((row) => row.includes(SLOWER))
  } finally {
    await before.stop()
    await now.stop()
  }
}

function isMeasured(operation: PeerOperation): boolean {
  return operation in LABELS && (values.operation?.includes(operation) ?? true)
}

interface Ratios {
  readonly time: number[]
  readonly server: number[]
  readonly database: number[]
}

/** Per request, new divided by old, of each round. The order of both changes from round to round. */
async function ratiosOf(operation: PeerOperation, now: Served, before: Served): Promise<Ratios> {
  const ratios: Ratios = { time: [], server: [], database: [] }
  for (let turn = 0; turn < Number(values.rounds); turn++) {
    const isNewFirst = turn % 2 === 0
    const one = await measurePeer(isNewFirst ? now : before, operation, Number(values.seconds))
    const other = await measurePeer(isNewFirst ? before : now, operation, Number(values.seconds))
    const [after, old] = isNewFirst ? [one, other] : [other, one]
    const perRequest = (cpu: number | null, perSecond: number) => (cpu ?? Number.NaN) / perSecond
    ratios.time.push(old.perSecond / after.perSecond)
    ratios.server.push(perRequest(after.server, after.perSecond) / perRequest(old.server, old.perSecond))
    ratios.database.push(perRequest(after.database, after.perSecond) / perRequest(old.database, old.perSecond))
  }
  return ratios
}

interface Programs {
  readonly openCluster: typeof openCluster
  readonly startMeasured: typeof startMeasured
}

async function loadOlder(): Promise<Programs> {
  const load = (file: string) => import(pathToFileURL(join(older, 'bench/artifacts', file)).href)
  return { ...(await load('cluster.ts')), ...(await load('server.ts')) }
}

async function startVersion(size: number, data: string, programs: Programs) {
  const cluster = await programs.openCluster(size, data)
  const server = await programs.startMeasured(cluster.appUrl)
  const served: Served = {
    peer: { name: 'waypost', ids: cluster.ids, size },
    port: Number(new URL(server.api.origin).port),
    pid: server.pid,
    databasePid: cluster.pid,
  }
  return {
    served,
    async stop() {
      await server.stop()
      await cluster.stop()
    },
  }
}

/** The same requests are sent to both, so the ids of their trackers and fields have to be equal. */
async function requireEqualTrackers(...sides: readonly Served[]): Promise<void> {
  const [one, other] = await Promise.all(
    sides.map(async ({ port, peer }) => {
      if (peer.name !== 'waypost') throw new Error('Only two versions of the same server can be compared.')
      const api = createTestClient(`http://127.0.0.1:${port}`)
      const { json } = await api.get(`/trackers/${peer.ids.tracker}`, {
        headers: { 'x-auth-accesskey': benchAccessKey('admin') },
      })
      return json.fields.map(({ field_id, name }: { field_id: number; name: string }) => [field_id, name])
    }),
  )
  if (!isDeepStrictEqual(one, other)) throw new Error('The two versions have given other ids to the same data.')
}

async function describeRun(): Promise<string> {
  const commitOf = (folder: string) =>
    execFileSync('git', ['-C', folder, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'))
  const load = round(loadavg()[1] ?? 0)
  return `${version} ${commitOf('.')} against ${commitOf(older)}: ${values.rounds} rounds of ${values.seconds} s, load average ${load}`
}
