import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, openDatabase } from '../../../src/platform/database/db.ts'
import { createTestClient } from '../../harness/client.ts'
import { EVERY_FIELD, type MadeTracker, makeTestTracker } from '../../fixtures/every-field.ts'
import { assertSequenced } from '../../harness/assert-sequenced.ts'
import { filesEnvironment } from '../../harness/storage-settings.ts'
import { createRepeatableRandom, type RepeatableRandom } from '../fuzz/random.ts'
import { ADA, MARA, TOM, UMA } from '../../fixtures/people.ts'
import { freePort } from '../../../src/platform/operation/free-port.ts'
import { type Checked, checkConsumers, checkDeliveries, checkMails, checkVersions } from './check.ts'
import { type RestartableProcess, startRestartableConsumer, startRestartableServer } from './restartable-process.ts'
import { type RecordingReceivers, startRecordingReceivers } from './receivers.ts'
import { writeChanges } from './write-changes.ts'

interface KillOptions {
  /** Migrated and seeded, as its owner. */
  readonly db: Db
  readonly appUrl: string
  /** An empty database for the effects of consumers. */
  readonly effectsUrl: string
  readonly changes: number
  readonly writers: number
  /** The maximum pause between kills. */
  readonly pauses: number
  readonly seed: string
}

export interface KillFigures extends Checked {
  readonly changes: number
  readonly kills: Readonly<Record<RestartableProcess['kind'], number>>
  readonly seconds: number
}

const CONSUMERS = ['pages', 'stream'] as const
/** Timeout without progress while work is left. */
const IDLE_TIMEOUT_MS = 120_000

/**
 * Writes under load while servers, workers and consumers are killed at random. At the end the effects of consumers
 * equal the log; webhooks got everything in order; no mail was sent twice.
 */
export async function killProcesses(killing: KillOptions): Promise<KillFigures> {
  const ends: (() => Promise<unknown>)[] = []
  const began = Date.now()
  try {
    const random = createRepeatableRandom(killing.seed)
    const effects = openDatabase({ connectionString: killing.effectsUrl, max: 2 })
    ends.push(() => effects.destroy())
    await prepareEffects(effects)
    const peers = await startRecordingReceivers()
    ends.push(() => peers.stop())
    const ports = await Promise.all([freePort(), freePort(), freePort()])
    const origins = ports.map((port) => `http://127.0.0.1:${port}`)
    const servers = await startServers(killing.appUrl, ports, peers)
    ends.push(...servers.map((server) => () => server.stop()))

    const apis = origins.map(createTestClient)
    const [api] = apis
    if (!api) throw new Error('There is no server.')
    const tracker = await makeTestTracker(api, EVERY_FIELD)
    await registerReceivers(apis, tracker, peers)
    const { json: place } = await api.get('/events?after=now')
    const consumers = await startConsumers(effects, { tracker, origins, place: place.next, url: killing.effectsUrl })
    ends.push(...consumers.map((consumer) => () => consumer.stop()))

    const kills = { api: 0, worker: 0, consumer: 0 }
    const mayEnd = () => Object.values(kills).every((count) => count > 0)
    const writing = writeChanges({ apis, tracker, random, mayEnd, ...killing })
    await killUntil(writing, [...servers, ...consumers], { random, pauses: killing.pauses, kills })
    const changes = await writing
    await untilQuiet(killing.db, effects, peers)
    await assertSequenced(killing.db)
    await checkVersions(killing.db, tracker)
    return {
      changes,
      kills,
      seconds: Math.round((Date.now() - began) / 1000),
      ...(await checkConsumers(killing.db, effects, tracker)),
      ...(await checkDeliveries(killing.db, peers, tracker)),
      ...checkMails(peers),
    }
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}

async function prepareEffects(effects: Db): Promise<void> {
  await sql`create table cursor (consumer text primary key, place text not null)`.execute(effects)
  await sql`create table effect (at bigint generated always as identity primary key,
    consumer text not null, event_id text not null, type text not null, object text)`.execute(effects)
}

/** Two servers, and one that also runs jobs; each keeps its port. */
function startServers(
  appUrl: string,
  ports: readonly number[],
  peers: RecordingReceivers,
): Promise<RestartableProcess[]> {
  return Promise.all(
    ports.map((port, at) => {
      const works = at === 2
      return startRestartableServer(works ? 'worker' : 'api', {
        WAYPOST_DATABASE_URL: appUrl,
        WAYPOST_LOG_LEVEL: 'error',
        WAYPOST_PORT: String(port),
        WAYPOST_ROLES: works ? 'api,worker' : 'api',
        WAYPOST_SMTP_URL: peers.smtp,
        ...filesEnvironment(appUrl),
      })
    }),
  )
}

async function registerReceivers(
  apis: readonly ReturnType<typeof createTestClient>[],
  tracker: MadeTracker,
  peers: RecordingReceivers,
) {
  const [api] = apis
  const answers = [
    await api?.patch('/settings', { as: ADA, body: { webhook_private_targets: ['127.0.0.0/8'] } }),
    await api?.post(`/trackers/${tracker.id}/webhooks`, { as: MARA, body: { url: peers.hook } }),
    await api?.put(`/trackers/${tracker.id}/watch`, { as: TOM, body: { level: 'all' } }),
    await api?.put(`/trackers/${tracker.id}/watch`, { as: UMA, body: { level: 'all' } }),
  ]
  for (const answer of answers) if (!answer || answer.status >= 300) throw new Error(answer?.text)
}

async function startConsumers(
  effects: Db,
  { tracker, origins, place, url }: { tracker: MadeTracker; origins: readonly string[]; place: string; url: string },
): Promise<RestartableProcess[]> {
  const started: RestartableProcess[] = []
  for (const consumer of CONSUMERS) {
    await sql`insert into cursor (consumer, place) values (${consumer}, ${place})`.execute(effects)
    started.push(
      startRestartableConsumer({
        EFFECTS_URL: url,
        CONSUMER: consumer,
        WAYS: consumer,
        KEY: MARA.key,
        ORIGINS: origins.join(),
        QUERY: `&tracker=${tracker.id}`,
      }),
    )
  }
  return started
}

async function killUntil(
  writing: Promise<unknown>,
  processes: readonly RestartableProcess[],
  {
    random,
    pauses,
    kills,
  }: { random: RepeatableRandom; pauses: number; kills: Record<RestartableProcess['kind'], number> },
): Promise<void> {
  const isDone = writing.then(
    () => true,
    () => true,
  )
  for (
    let next: RestartableProcess[] = [];
    !(await Promise.race([isDone, pause(random.integer(1, pauses), false)]));
  ) {
    if (next.length === 0) next = random.shuffled(processes) // Kill each process once per round.
    const mortal = next.pop()
    await mortal?.kill()
    if (mortal) kills[mortal.kind]++
  }
}

/** Waits until all pending work is done, except for scheduled digests. */
async function untilQuiet(db: Db, effects: Db, peers: RecordingReceivers): Promise<void> {
  let [before, since] = ['', Date.now()]
  for (;;) {
    const { rows } = await sql<{ left: number }>`
      select (select count(*) from webhook_delivery where state in ('waiting', 'retrying'))
        + (select count(*) from job where state in ('waiting', 'running', 'retrying')
          and coalesce(run_after, now()) < now() + interval '1 minute') as left`.execute(db)
    const done = await sql<{ done: number }>`select count(*) as done from effect`.execute(effects)
    const now = JSON.stringify([rows, done.rows, peers.delivered.length, peers.mailed.length])
    if (now !== before) [before, since] = [now, Date.now()]
    if (rows[0]?.left === 0 && Date.now() - since > 3000) return
    if (Date.now() - since > IDLE_TIMEOUT_MS) throw new Error(`It does not come to rest: ${now}`)
    await pause(500)
  }
}
