import { AssertionError } from 'node:assert/strict'
import { createWriteStream } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase } from '../server/src/platform/database/db.ts'
import { FAILPOINTS } from '../server/src/platform/operation/failpoints.ts'
import type { PlantedFault } from '../server/test/harness/planted-faults/plant.ts'
import { readWhole } from '../server/test/fixtures/attachments.ts'
import { createTestClient } from '../server/test/harness/client.ts'
import { type MadeTracker, makeTestTracker } from '../server/test/fixtures/every-field.ts'
import { checkDeliveries, checkVersions } from '../server/test/suites/feed-kills/check.ts'
import { type RecordingReceivers, startRecordingReceivers } from '../server/test/suites/feed-kills/receivers.ts'
import { createRepeatableRandom } from '../server/test/suites/fuzz/random.ts'
import { ADA, MARA } from '../server/test/fixtures/people.ts'
import { FAULTS_TRACKER } from './content.ts'
import { startDriver } from './driver.ts'
import { createCleanupStack } from './cleanup-stack.ts'
import { type Journal, openJournal } from './journal.ts'
import { judgeConsistency, type ConsistencyVerdict } from './judge.ts'
import { type InjectedFault, injectFaults } from './nemesis.ts'
import { changedData, type DataDigests, readUntouchedData } from './untouched-data.ts'
import { type SetupFigures, computeFigures, timesOf } from './report.ts'
import type { Setup, SetupName, SetupOptions } from './setup.ts'
import { startPair } from './setups/pair.ts'
import { startPatroni } from './setups/patroni.ts'
import { startSingle } from './setups/single.ts'
import { startStandby } from './setups/standby.ts'
import { checkOut } from './upgrade.ts'

const STARTS: Readonly<Record<SetupName, (options: SetupOptions) => Promise<Setup>>> = {
  single: startSingle,
  pair: startPair,
  standby: startStandby,
  patroni: startPatroni,
}

export interface SetupRun {
  readonly setup: SetupName
  readonly directory: string
  readonly seed: string
  /** No fault starts after this time, in milliseconds. */
  readonly duration: number
  readonly rate: number
  readonly users: number
  readonly calm: number
  /** Checks consistency after every fault, not only after database faults. */
  readonly isSmall: boolean
  /** Injects only these faults, in this order. */
  readonly only?: readonly string[] | undefined
  readonly plant?: PlantedFault | undefined
  /** A git revision to upgrade from. */
  readonly from?: string | undefined
  readonly say: (line: string) => void
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
const STUCK_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 3000
const MAX_FILES_READ = 300

/** Runs one set-up from start to end: clients, faults, and checks. */
export async function runSetup(run: SetupRun): Promise<SetupFigures> {
  const { seed, say, plant } = run
  const cleanup = createCleanupStack()
  const began = performance.now()
  const giveUp = () => void cleanup.run().finally(() => process.exit(130))
  for (const signal of SIGNALS) process.once(signal, giveUp)
  const directory = join(run.directory, run.setup)
  await mkdir(directory, { recursive: true })
  await chmod(directory, 0o711) // PostgreSQL may run as another user, who needs to traverse it.
  try {
    let written = ''
    const words = createWriteStream(join(directory, 'servers.log'))
    cleanup.push(async () => void words.end())
    const log = (line: string) => {
      words.write(line)
      written = `${written}${line}`.slice(-20_000)
    }
    const older = run.from && join(directory, 'older')
    if (run.from && older) await checkOut(run.from, older, cleanup)
    const setup = await STARTS[run.setup]({ directory, plant, older, log, cleanup })
    const peers = await startRecordingReceivers()
    cleanup.push(() => peers.stop())
    const journal = await openJournal(join(directory, 'journal.ndjson'))
    cleanup.push(() => journal.close())
    const tracker = await prepareTracker(setup, run.isSmall ? undefined : peers)
    const others = await readUntouchedData(setup.ownerUrl, tracker)
    const origins = setup.servers.map(({ origin }) => origin)
    const driver = startDriver({ origins, tracker, journal, seed, rate: run.rate, users: run.users })
    cleanup.push(() => Promise.race([driver.stop(), pause(STOP_TIMEOUT_MS)])) // An interrupted run does not wait for responses.
    say(`${run.setup}: ready after ${seconds(performance.now() - began)} s`)

    const complaints: string[] = []
    const notes: string[] = []
    const verdicts: ConsistencyVerdict[] = []
    const scene = {
      random: createRepeatableRandom(`${seed} scene`),
      journal: journal.entries,
      complain: (what: string) => void complaints.push(what),
      note: (what: string) => {
        notes.push(what)
        say(`${run.setup}: ${seconds(performance.now() - began)} s: ${what}`)
      },
    }
    const look = async (isFinal: boolean) => {
      const verdict = await judgeConsistency({
        ownerUrl: setup.ownerUrl,
        tracker,
        entries: [...journal.entries],
        isFinal,
      })
      verdicts.push(verdict)
      return verdict
    }
    const isSound = () =>
      [...complaints, ...driver.complaints, ...verdicts.flatMap((verdict) => Object.values(verdict).flat())].length ===
      0
    // A planted fault must show without any other fault.
    const faults = plant ? [] : setup.faults
    const script = run.only?.flatMap((wanted) => faults.filter(({ name }) => name === wanted))
    if (script?.length === 0 && !plant) throw new Error(`The set-up ${run.setup} has none of these faults.`)
    const start = performance.now()
    const happened = await injectFaults({
      faults,
      script,
      random: createRepeatableRandom(`${seed} nemesis`),
      scene,
      calm: run.calm,
      // The first violation ends the run, so that later ones do not hide it.
      goesOn: () => isSound() && performance.now() - start < run.duration,
      async after(past) {
        if (run.isSmall || isDue(past)) await look(false)
      },
    })
    while (isSound() && performance.now() - start < run.duration && faults.length === 0) {
      await pause(3000)
      await look(false)
    }
    await driver.stop()
    await look(true)
    if (isSound()) {
      if (!run.isSmall) complaints.push(...(await undelivered(setup, scene.note, tracker, peers)))
      complaints.push(...(await finalChecks(setup, journal, tracker, others)))
    }
    const hit = FAILPOINTS.filter((name) => notes.includes(`killed at ${name}`))
    const asked = { setup: run.setup, seconds: seconds(performance.now() - start), hit }
    const figures = computeFigures({ ...asked, happened, driver, complaints, verdicts, entries: journal.entries })
    if (figures.problems.length > 0 && written !== '') say(`The last words of the servers:\n${written.slice(-4000)}`)
    return figures
  } finally {
    for (const signal of SIGNALS) process.off(signal, giveUp)
    await cleanup.run()
  }
}

/** True after each failover, and after every 20th kill of a server. */
function isDue(happened: readonly InjectedFault[]): boolean {
  const last = happened.at(-1)
  const kills = timesOf(happened, 'server kill')
  if (last?.counts.includes('server kill')) return kills % 20 < last.times
  return last?.counts.some((kind) => kind === 'failover' || kind === 'primary kill' || kind === 'partition') ?? false
}

async function prepareTracker({ servers }: Setup, peers: RecordingReceivers | undefined): Promise<MadeTracker> {
  const api = createTestClient(servers[0]?.origin ?? '')
  const settings = { webhook_private_targets: ['127.0.0.0/8'], artifact_deletion_limit: 1_000_000 }
  const set = await api.patch('/settings', { as: ADA, body: settings })
  const tracker = await makeTestTracker(api, FAULTS_TRACKER)
  const hook = { as: MARA, body: { url: peers?.hook } }
  const hooked = peers && (await api.post(`/trackers/${tracker.id}/webhooks`, hook))
  for (const answer of [set, hooked]) if (answer && answer.status >= 300) throw new Error(answer.text)
  return tracker
}

/** Every committed change is delivered at least once, in order; deliveries interrupted by a kill are waited for. */
async function undelivered(
  { ownerUrl }: Setup,
  note: (what: string) => void,
  tracker: MadeTracker,
  peers: RecordingReceivers,
): Promise<string[]> {
  const problems: string[] = []
  const db = openDatabase({ connectionString: ownerUrl, max: 1, statement_timeout: 0 })
  const say = (error: unknown) => void problems.push(error instanceof Error ? error.message : String(error))
  try {
    for (let [newest, since] = [-1, Date.now()]; ; await pause(1000)) {
      const { rows } = await sql<{ left: number }>`
        select count(*) as left from webhook_delivery where state in ('waiting', 'retrying')`.execute(db)
      const left = rows[0]?.left ?? 0
      const isStuck = Date.now() - since > STUCK_TIMEOUT_MS
      // A full comparison is slow and blocks the receiver, so the count is compared first.
      const behind =
        left > 0 && !isStuck
          ? undefined
          : await checkDeliveries(db, peers, tracker).catch((error: unknown) => ({ error }))
      if (left === 0 && behind && !('error' in behind)) break
      if (newest === -1) note(`${left} deliveries are waited for`)
      if (peers.delivered.length !== newest) [newest, since] = [peers.delivered.length, Date.now()]
      if (isStuck) {
        say(behind && 'error' in behind ? differenceIn(behind.error) : 'Deliveries do not come to an end.')
        break
      }
    }
    await checkVersions(db, tracker).catch(say)
    return problems
  } finally {
    await db.destroy()
  }
}

/** The difference between delivered events and the log. */
function differenceIn(error: unknown): unknown {
  if (!(error instanceof AssertionError) || !Array.isArray(error.actual) || !Array.isArray(error.expected)) return error
  const [delivered, logged] = [new Set<unknown>(error.actual), new Set<unknown>(error.expected)]
  const [more, fewer] = [[...delivered.difference(logged)], [...logged.difference(delivered)]]
  return `${error.message} Not in the log: ${more.length} (${more.slice(0, 3).join()}); not told: ${fewer.length} (${fewer.slice(0, 3).join()})`
}

/** Checks that need an idle system: contents of files, and data of others. */
async function finalChecks(
  { servers, ownerUrl }: Setup,
  journal: Journal,
  tracker: MadeTracker,
  others: DataDigests,
): Promise<string[]> {
  const problems: string[] = []
  const api = createTestClient(servers[0]?.origin ?? '')
  const attached = journal.entries.filter(({ file, outcome }) => file && outcome === 'ok').slice(-MAX_FILES_READ)
  for (const { file, artifacts, op } of attached) {
    const isGone = journal.entries.some(({ kind, artifacts: [one] }) => kind === 'remove' && one === artifacts[0])
    if (!file || isGone) continue
    const bytes = await readWhole(api, MARA, file.id).catch(() => Buffer.alloc(0))
    if (!bytes.toString().startsWith(`${op} `)) problems.push(`${op}: the bytes of file ${file.id} are others`)
  }
  for (const name of changedData(others, await readUntouchedData(ownerUrl, tracker)))
    problems.push(`Some ${name} of others were changed.`)
  return problems
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds / 1000)
}
