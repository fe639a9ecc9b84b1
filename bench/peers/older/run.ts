// Compares the speed of this checkout with an older one, in alternating rounds: `npm run bench:older -- --checkout <dir>`.
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { print } from '../../../server/src/commands/print.ts'
import { createTestClient } from '../../../server/test/harness/client.ts'
import { HttpConnection } from '../../artifacts/http-connection.ts'
import { benchAccessKey, MAX_VIEWERS } from '../../artifacts/keys.ts'
import { round } from '../../quantiles.ts'
import { measurePeer } from '../measure.ts'
import { isSkewed, PEER_OPERATIONS, type PeerOperation, skewedReads, VERSION_OPERATIONS } from '../requests.ts'
import { Progress, type Round } from './progress.ts'
import { findSlower, isCompared, reportRounds } from './report.ts'
import { loadOlderPrograms, loadOwnPrograms, startVersion, type ServedVersion } from './version.ts'

const { values } = parseArgs({
  options: {
    /** A folder with the older checkout, after `npm ci`. */
    checkout: { type: 'string' },
    size: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '15' },
    viewers: { type: 'string', default: String(MAX_VIEWERS) },
    /** Seconds of each skewed load before its first round, which fill the caches of both versions. */
    fill: { type: 'string', default: '0' },
    /** Some of the operations of `report.ts`; all by default. */
    operation: { type: 'string', multiple: true },
    /** Settings of the new server, such as `WAYPOST_LOG_LEVEL=error`. */
    set: { type: 'string', multiple: true, default: [] },
    /** Keeps both databases and all finished rounds for the next run. */
    data: { type: 'string' },
  },
})
if (values.checkout === undefined) throw new Error('--checkout names the folder of the older version.')
const older = resolve(values.checkout)
const [size, seconds, rounds, viewers, fill] = [
  values.size,
  values.seconds,
  values.rounds,
  values.viewers,
  values.fill,
].map(Number)

/** Draws what no measured round draws. */
const FILLING_ROUND = 1000

const home = values.data === undefined ? await mkdtemp(join(tmpdir(), 'waypost-older-')) : resolve(values.data)
await mkdir(home, { recursive: true })
await chmod(home, 0o711) // PostgreSQL may run as another user, who needs to traverse it.
try {
  process.exitCode = (await compare()) ? 0 : 1
} finally {
  if (values.data === undefined) await rm(home, { recursive: true, force: true })
}

/** Whether no operation has become slower. */
async function compare(): Promise<boolean> {
  const environment = Object.fromEntries(values.set.map((each) => each.split(/=(.*)/s).slice(0, 2)))
  // Each version has its own data and its own programs: an older server does not start on a newer schema.
  const place = { size: size ?? 0, viewers: viewers ?? 0 }
  const before = await startVersion(await loadOlderPrograms(older), { ...place, data: join(home, 'old') })
  const now = await startVersion(loadOwnPrograms(), { ...place, data: join(home, 'new'), environment })
  try {
    await requireEqualTrackers(now, before)
    const progress = await Progress.open(join(home, 'rounds.json'), {
      now: commitOf('.'),
      before: commitOf(older),
      size: place.size,
      seconds: seconds ?? 0,
      viewers: place.viewers,
      settings: values.set,
    })
    const measured = new Map<PeerOperation, readonly Round[]>()
    for (const operation of [...PEER_OPERATIONS, ...VERSION_OPERATIONS].filter(isWanted)) {
      await measureRounds(operation, { now, before }, progress)
      measured.set(operation, progress.rounds(operation))
    }
    print(`\n${describeRun()}\n\n${reportRounds(measured)}`)
    const slower = findSlower(measured)
    for (const each of slower) print(`slower: ${each}`)
    return slower.length === 0
  } finally {
    await before.stop()
    await now.stop()
  }
}

function isWanted(operation: PeerOperation): boolean {
  return isCompared(operation) && (values.operation?.includes(operation) ?? true)
}

interface Versions {
  readonly now: ServedVersion
  readonly before: ServedVersion
}

/** The order of both versions changes from round to round. */
async function measureRounds(operation: PeerOperation, { now, before }: Versions, progress: Progress): Promise<void> {
  const count = rounds ?? 0
  if (progress.rounds(operation).length >= count) return
  const [knownNow, knownBefore] = [await withEtags(now, operation), await withEtags(before, operation)]
  if (fill && isSkewed(operation))
    for (const version of [knownBefore, knownNow])
      await measurePeer(version, operation, { seconds: fill, round: FILLING_ROUND })
  for (let turn = progress.rounds(operation).length; turn < count; turn++) {
    const measure = (version: ServedVersion) => measurePeer(version, operation, { seconds: seconds ?? 0, round: turn })
    const hitsBefore = await now.countCacheHits()
    const isNewFirst = turn % 2 === 0
    const one = await measure(isNewFirst ? knownNow : knownBefore)
    const other = await measure(isNewFirst ? knownBefore : knownNow)
    const hits = await now.countCacheHits()
    const finished: Round = isNewFirst ? { now: one, before: other } : { now: other, before: one }
    await progress.add(operation, finished)
    print(`${operation} ${turn + 1} of ${count}: ${describeRound(finished)}${describeHits(hitsBefore, hits)}`)
  }
}

function describeRound({ now, before }: Round): string {
  const side = ({ perSecond, serverMs, databaseMs, isStable }: Round['now']) =>
    `${perSecond.toFixed(0)}/s, ${serverMs?.toFixed(2)} + ${databaseMs?.toFixed(2)} ms${isStable ? '' : ', not stable'}`
  return `old ${side(before)}; new ${side(now)}`
}

interface CacheHits {
  readonly hits: number
  readonly misses: number
}

function describeHits(before: CacheHits, after: CacheHits): string {
  const [hits, misses] = [after.hits - before.hits, after.misses - before.misses]
  return hits + misses === 0 ? '' : `; cache hit rate ${((100 * hits) / (hits + misses)).toFixed(1)} %`
}

/** Reads the Etags that the load has to know. */
async function withEtags(version: ServedVersion, operation: PeerOperation): Promise<ServedVersion> {
  if (operation !== 'not-modified-skewed') return version
  const connections = await Promise.all(Array.from({ length: 8 }, () => HttpConnection.open('127.0.0.1', version.port)))
  const etags: Record<string, string> = {}
  const reads = skewedReads(version.peer)[Symbol.iterator]()
  await Promise.all(
    connections.map(async (connection) => {
      for (const { method, path, headers } of reads) etags[path] = (await connection.send(method, path, headers)).etag
    }),
  )
  for (const connection of connections) connection.end()
  return { ...version, peer: { ...version.peer, etags } }
}

/** The same requests are sent to both, so the ids of their trackers and fields have to be equal. */
async function requireEqualTrackers(...sides: readonly ServedVersion[]): Promise<void> {
  const [one, other] = await Promise.all(
    sides.map(async ({ port, peer }) => {
      const api = createTestClient(`http://127.0.0.1:${port}`)
      const { json } = await api.get(`/trackers/${peer.ids.tracker}`, {
        headers: { 'x-auth-accesskey': benchAccessKey('admin') },
      })
      return json.fields.map(({ field_id, name }: { field_id: number; name: string }) => [field_id, name])
    }),
  )
  if (!isDeepStrictEqual(one, other)) throw new Error('The two versions have given other ids to the same data.')
}

function commitOf(folder: string): string {
  return execFileSync('git', ['-C', folder, 'describe', '--always', '--dirty', '--exclude=*'], {
    encoding: 'utf8',
  }).trim()
}

function describeRun(): string {
  const date = new Date().toISOString().slice(0, 10)
  const load = round(loadavg()[1] ?? 0)
  return `${date}, ${commitOf('.')} against ${commitOf(older)}: ${size} artifacts, ${rounds} rounds of ${seconds} s, ${viewers} viewers, Node ${process.version}, load average ${load}`
}
