import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { print, table } from '../../server/src/commands/print.ts'
import { type Cluster, openCluster } from '../artifacts/cluster.ts'
import { benchAccessKey } from '../artifacts/keys.ts'
import { watchProcessors } from '../artifacts/processor-time.ts'
import { startMeasured } from '../artifacts/server.ts'
import { round } from '../quantiles.ts'

export interface WebhookOptions {
  readonly size: number
  /** Deliveries of each case. */
  readonly deliveries: number
  readonly data: string
}

export interface WebhookFigures {
  readonly deliveries: number
  readonly cases: readonly WebhookCase[]
  /** Every hook got every event once, and ordered hooks in order. */
  readonly is_right: boolean
}

interface WebhookCase {
  readonly name: string
  readonly goal: number
  readonly a_second: number
  /** Milliseconds of processor time for each delivery, planning included; null if unknown. */
  readonly server_ms: number | null
  readonly postgres_ms: number | null
  readonly is_right: boolean
}

interface HookSet {
  readonly name: string
  /** Deliveries a second of all hooks together. */
  readonly goal: number
  readonly hooks: number
  readonly body: object
}

const JSON_EVENTS = { payload: 'event', format: 'json' }
const HOOK_SETS: readonly HookSet[] = [
  { name: 'one hook, ordered', goal: 300, hooks: 1, body: { ...JSON_EVENTS, ordered: true } },
  { name: 'one hook', goal: 300, hooks: 1, body: JSON_EVENTS },
  // Each body has the whole tracker, here with thousands of values: it has no goal.
  { name: 'one hook, original format', goal: 0, hooks: 1, body: {} },
  { name: 'ten hooks', goal: 1000, hooks: 10, body: JSON_EVENTS },
]
const RECEIVER = fileURLToPath(new URL('receiver-process.ts', import.meta.url))
const MAX_SECONDS = 600

/** Deliveries of new artifacts to a receiver that answers at once. */
export async function measureWebhooks(options: WebhookOptions): Promise<WebhookFigures> {
  const { size, deliveries, data } = options
  const cluster = await openCluster(size, data)
  const receiver = fork(RECEIVER)
  const [{ port }] = await once(receiver, 'message')
  const measured: WebhookCase[] = []
  try {
    for (const set of HOOK_SETS) measured.push(await measureSet({ cluster, receiver, port }, set, deliveries))
  } finally {
    receiver.kill()
    await cluster.stop()
  }
  print(
    table([
      ['hooks', 'deliveries/s', 'goal', 'server ms', 'PostgreSQL ms', 'right'],
      ...measured.map((each) => [
        each.name,
        String(each.a_second),
        each.goal === 0 ? '' : String(each.goal),
        String(each.server_ms),
        String(each.postgres_ms),
        each.is_right ? 'yes' : 'NO',
      ]),
    ]),
  )
  return { deliveries, cases: measured, is_right: measured.every(({ is_right }) => is_right) }
}

interface Ground {
  readonly cluster: Cluster
  readonly receiver: ChildProcess
  readonly port: number
}

async function measureSet(
  { cluster, receiver, port }: Ground,
  { name, goal, hooks, body }: HookSet,
  deliveries: number,
): Promise<WebhookCase> {
  const client = new Client({ connectionString: cluster.ownerUrl })
  await client.connect()
  await client.query(
    `update setting set version = version + 1, chosen = chosen || '{"webhook_private_targets": ["127.0.0.0/8"]}'`,
  )
  const server = await startMeasured(cluster.appUrl, { WAYPOST_ROLES: 'api,worker' })
  const call = async (method: string, path: string, sent?: object): Promise<string> => {
    const headers = { 'x-auth-accesskey': benchAccessKey('admin'), 'content-type': 'application/json' }
    const content = sent && { body: JSON.stringify(sent) }
    const answer = await fetch(`${server.api.origin}/api${path}`, { method, headers, ...content })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text
  }
  try {
    const ids: number[] = []
    for (let at = 0; at < hooks; at++) {
      const choices = { ...body, url: `http://127.0.0.1:${port}/${at}`, active: false }
      const created = await call('POST', `/trackers/${cluster.ids.tracker}/webhooks`, choices)
      ids.push(JSON.parse(created).id)
    }
    const events = Math.ceil(deliveries / hooks)
    await client.query(
      `insert into event (type, object, project_id, actor_id, payload)
       select 'artifact.created', 'artifacts/' || id, project_id, submitted_by,
         jsonb_build_object('tracker_id', tracker_id, 'version', 1)
       from artifact where tracker_id = $1 order by id limit $2`,
      [cluster.ids.tracker, events],
    )
    const used = await watchProcessors([server.pid, cluster.pid])
    const began = performance.now()
    for (const id of ids) await call('PATCH', `/webhooks/${id}`, { active: true })
    const totals = await untilReceived(receiver, events * hooks)
    const seconds = (performance.now() - began) / 1000
    const [ofServer = null, ofDatabase = null] = await used()
    const perDelivery = (share: number | null) => share && round((share * seconds * 1000) / (events * hooks))
    for (const id of ids) await call('DELETE', `/webhooks/${id}`)
    return {
      name,
      goal,
      a_second: round((events * hooks) / seconds),
      server_ms: perDelivery(ofServer),
      postgres_ms: perDelivery(ofDatabase),
      is_right: totals.every(
        ({ count, repeated, overtaken }) =>
          count === events && repeated === 0 && (!('ordered' in body) || overtaken === 0),
      ),
    }
  } finally {
    await ask(receiver, 'forget')
    await server.stop()
    await client.end()
  }
}

interface Total {
  readonly path: string
  readonly count: number
  readonly repeated: number
  readonly overtaken: number
}

async function untilReceived(receiver: ChildProcess, count: number): Promise<readonly Total[]> {
  for (const end = performance.now() + MAX_SECONDS * 1000; ; ) {
    const totals = await ask(receiver, 'count')
    const received = totals.reduce((sum, total) => sum + total.count, 0)
    if (received >= count) return totals
    if (performance.now() > end) throw new Error(`Only ${received} of ${count} deliveries came.`)
    await pause(20)
  }
}

async function ask(receiver: ChildProcess, order: string): Promise<readonly Total[]> {
  const answer = once(receiver, 'message')
  receiver.send(order)
  const [totals] = await answer
  return totals
}
