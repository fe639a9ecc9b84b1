// Sends equivalent requests to Redmine and Waypost, alternately, on one PostgreSQL: `npm run bench:redmine`.
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { print, table } from '../../../server/src/commands/print.ts'
import { type Cluster, openCluster } from '../../artifacts/cluster.ts'
import { createViewerKeys } from '../../artifacts/keys.ts'
import { startMeasured } from '../../artifacts/server.ts'
import { median } from '../../../server/test/harness/median.ts'
import { medianOf, round } from '../../quantiles.ts'
import type { PeerLoadOutcome } from '../load.ts'
import { measurePeer, type Served } from '../measure.ts'
import { startRedmine } from './redmine.ts'
import { PEER_OPERATIONS, type PeerOperation } from '../requests.ts'

const LABELS: Readonly<Record<(typeof PEER_OPERATIONS)[number], string>> = {
  get: 'read one',
  'get-skewed': 'read one, by Zipf',
  list: '50 of 1,000 by a list value',
  text: '50 by a text in the title',
  create: 'create',
  update: 'update',
  key: 'who am I, by key',
}
const MIN_RATIO = 50
/** The callers of the skewed load. */
const VIEWERS = 200

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '15' },
    turns: { type: 'string', default: '3' },
    /** A folder that keeps the data of both for the next run. */
    data: { type: 'string' },
    /** Stores the figures beside this file. */
    write: { type: 'boolean', default: false },
  },
})

const home = values.data ?? (await mkdtemp(join(tmpdir(), 'waypost-redmine-')))
if (values.data === undefined) await chmod(home, 0o711) // PostgreSQL may run as another user, who needs to traverse it.
const cluster = await openCluster(Number(values.size), home)
try {
  await compare(cluster)
} finally {
  await cluster.stop()
  if (values.data === undefined) await rm(home, { recursive: true, force: true })
}

async function compare({ postgres, pid: databasePid, appUrl, ownerUrl, ids, size }: Cluster): Promise<void> {
  const redmine = await startRedmine(postgres, home, size)
  const server = await startMeasured(appUrl)
  try {
    const port = Number(new URL(server.api.origin).port)
    await createViewerKeys(ownerUrl, ids, VIEWERS)
    const ours: Served = { peer: { name: 'waypost', ids, size, viewers: VIEWERS }, port, pid: server.pid, databasePid }
    const theirs: Served = { ...redmine, databasePid }
    const ask = (served: Served, operation: PeerOperation, turn: number) =>
      measurePeer(served, operation, { seconds: Number(values.seconds), round: turn })
    const figures = []
    for (const operation of PEER_OPERATIONS) {
      const turns: { ours: PeerLoadOutcome; theirs: PeerLoadOutcome }[] = []
      for (let turn = 0; turn < Number(values.turns); turn++)
        turns.push({ ours: await ask(ours, operation, turn), theirs: await ask(theirs, operation, turn) })
      figures.push({ operation, ...summary(turns) })
      print(`${operation}: ${JSON.stringify(figures.at(-1))}`)
    }
    print(
      table([
        [
          `${size} each`,
          'by',
          'a second',
          'p50',
          'p95',
          'server',
          'database',
          'generator',
          'ratio',
          `goal ${MIN_RATIO}`,
        ],
        ...figures.flatMap(({ operation, ours: one, theirs: other, ratio }) => [
          [LABELS[operation], 'Waypost', ...cells(one), `${ratio}`, ratio >= MIN_RATIO ? 'reached' : 'missed'],
          ['', 'Redmine', ...cells(other), '', ''],
        ]),
      ]),
    )
    if (values.write) await keep({ size, redmine: redmine.version, postgres: postgres.version, figures })
  } finally {
    await server.stop()
    await redmine.stop()
  }
}

/** Medians over the rounds; the ratio is that of the medians. */
function summary(turns: readonly { ours: PeerLoadOutcome; theirs: PeerLoadOutcome }[]) {
  const of = (side: 'ours' | 'theirs') => ({
    per_second: round(median(turns.map((turn) => turn[side].perSecond))),
    p50_ms: round(median(turns.map((turn) => turn[side].p50))),
    p95_ms: round(median(turns.map((turn) => turn[side].p95))),
    /** In processors. */
    server_cpu: medianOf(turns.map((turn) => turn[side].server)),
    database_cpu: medianOf(turns.map((turn) => turn[side].database)),
    generator_cpu: medianOf(turns.map((turn) => turn[side].generator)),
  })
  const [ours, theirs] = [of('ours'), of('theirs')]
  return { ours, theirs, ratio: round(ours.per_second / theirs.per_second) }
}

type Side = ReturnType<typeof summary>['ours']

/** CPU usage is in processors. */
function cells(side: Side): string[] {
  const share = (used: number | null) => (used === null ? '?' : used.toFixed(2))
  return [
    String(side.per_second),
    `${side.p50_ms} ms`,
    `${side.p95_ms} ms`,
    ...[side.server_cpu, side.database_cpu, side.generator_cpu].map(share),
  ]
}

async function keep(measured: object): Promise<void> {
  const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' }).trim()
  const kept = {
    date: new Date().toISOString().slice(0, 10),
    commit: git('rev-parse', '--short', 'HEAD'),
    node: process.version,
    cores: cpus().length,
    load_average: round(loadavg()[1] ?? 0),
    seconds: Number(values.seconds),
    turns: Number(values.turns),
    ...measured,
  }
  await writeFile(new URL('figures.json', import.meta.url), `${JSON.stringify(kept, null, 2)}\n`)
}
