import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, openDatabase } from '../../src/platform/database/db.ts'
import { createClient } from '../client.ts'
import { EVERY_FIELD, type MadeTracker, makeTracker } from '../every-field.ts'
import { filesOf } from '../files-place.ts'
import { createRandom, type Random } from '../fuzz/random.ts'
import { ADA, MARA, TOM, UMA } from '../people.ts'
import { freePort } from '../server-process.ts'
import { type Checked, checkConsumers, checkDeliveries, checkMails, checkVersions } from './check.ts'
import { type Mortal, mortalConsumer, mortalServer } from './mortal.ts'
import { type Peers, startPeers } from './peers.ts'
import { writeChanges } from './write-changes.ts'

interface Killing {
  /** Migrated and seeded, as its owner. */
  readonly db: Db
  readonly appUrl: string
  /** An empty database for what consumers do. */
  readonly effectsUrl: string
  readonly changes: number
  readonly writers: number
  /** How long nobody dies, at most. */
  readonly pauses: number
  readonly seed: string
}

export interface KillFigures extends Checked {
  readonly changes: number
  readonly kills: Readonly<Record<Mortal['kind'], number>>
  readonly seconds: number
}

const CONSUMERS = ['pages', 'stream'] as const
/** How long nothing may happen while something is left to do. */
const PATIENCE = 120_000

/**
 * Many write, while those who serve, those who deliver and those who read are killed at random. In the end, what
 * consumers did equals the log; webhooks had everything, in order; nobody had a mail twice.
 */
export async function killReaders(killing: Killing): Promise<KillFigures> {
  const ends: (() => Promise<unknown>)[] = []
  const began = Date.now()
  try {
    const random = createRandom(killing.seed)
    const effects = openDatabase({ connectionString: killing.effectsUrl, max: 2 })
    ends.push(() => effects.destroy())
    await prepareEffects(effects)
    const peers = await startPeers()
    ends.push(() => peers.stop())
    const ports = await Promise.all([freePort(), freePort(), freePort()])
    const origins = ports.map((port) => `http://127.0.0.1:${port}`)
    const servers = await startServers(killing.appUrl, ports, peers)
    ends.push(...servers.map((server) => () => server.stop()))

    const apis = origins.map(createClient)
    const [api] = apis
    if (!api) throw new Error('There is no server.')
    const tracker = await makeTracker(api, EVERY_FIELD)
    await tellPeers(apis, tracker, peers)
    const { json: place } = await api.get('/events?after=now')
    const consumers = await startConsumers(effects, { tracker, origins, place: place.next, url: killing.effectsUrl })
    ends.push(...consumers.map((consumer) => () => consumer.stop()))

    const kills = { api: 0, worker: 0, consumer: 0 }
    const mayEnd = () => Object.values(kills).every((count) => count > 0)
    const writing = writeChanges({ apis, tracker, random, mayEnd, ...killing })
    await killUntil(writing, [...servers, ...consumers], { random, pauses: killing.pauses, kills })
    const changes = await writing
    await untilQuiet(killing.db, effects, peers)
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

/** Two that answer, and one that answers and works; each on a port that it keeps. */
function startServers(appUrl: string, ports: readonly number[], peers: Peers): Promise<Mortal[]> {
  return Promise.all(
    ports.map((port, at) => {
      const works = at === 2
      return mortalServer(works ? 'worker' : 'api', {
        WAYPOST_DATABASE_URL: appUrl,
        WAYPOST_LOG_LEVEL: 'error',
        WAYPOST_PORT: String(port),
        WAYPOST_ROLES: works ? 'api,worker' : 'api',
        WAYPOST_SMTP_URL: peers.smtp,
        ...filesOf(appUrl),
      })
    }),
  )
}

async function tellPeers(apis: readonly ReturnType<typeof createClient>[], tracker: MadeTracker, peers: Peers) {
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
): Promise<Mortal[]> {
  const started: Mortal[] = []
  for (const consumer of CONSUMERS) {
    await sql`insert into cursor (consumer, place) values (${consumer}, ${place})`.execute(effects)
    started.push(
      mortalConsumer({
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
  mortals: readonly Mortal[],
  { random, pauses, kills }: { random: Random; pauses: number; kills: Record<Mortal['kind'], number> },
): Promise<void> {
  const isDone = writing.then(
    () => true,
    () => true,
  )
  for (let next: Mortal[] = []; !(await Promise.race([isDone, pause(random.integer(1, pauses), false)])); ) {
    if (next.length === 0) next = random.shuffled(mortals) // Nobody twice before everybody once.
    const mortal = next.pop()
    await mortal?.kill()
    if (mortal) kills[mortal.kind]++
  }
}

/** Until all that is under way has come to its end. What is to be sent in an hour, as a digest, is not waited for. */
async function untilQuiet(db: Db, effects: Db, peers: Peers): Promise<void> {
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
    if (Date.now() - since > PATIENCE) throw new Error(`It does not come to rest: ${now}`)
    await pause(500)
  }
}
