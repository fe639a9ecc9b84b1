import { type RawBuilder, sql } from 'kysely'
import { recordAudit } from '../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { parkLedgerEntry } from '../../platform/jobs/job-ledger.ts'
import type { Context } from '../../platform/operation/context.ts'
import { parseHttpDate } from '../../platform/wire/dates.ts'
import { deliveryUri } from './delivery.ts'
import { orderPauseMails } from './pause-mail.ts'
import type { Outcome } from './send.ts'
import { PATIENCE_WITH_FAILURES, type TakenDelivery } from './take-due.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long to wait after each attempt that failed; after one more, somebody has to look at it. */
const DELAYS = [10 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 8 * HOUR, DAY]
const LONGEST_WISH = HOUR
const LONGEST_HOLD = 5 * MINUTE
const PAUSE_AFTER = 3 * DAY
const WORTH_ANOTHER_TRY = new Set([408, 425, 429])
const GONE = 410

/** The job that delivers again what was given up. */
export const DELIVERY_JOB = 'webhook_delivery'

/** What was sent. */
export interface Request {
  readonly headers: Record<string, string>
  readonly body: string
  readonly people: readonly number[]
}

/** Writes down how an attempt went, and what is to become of delivery and hook. */
export async function recordOutcome(
  context: Context,
  delivery: TakenDelivery,
  request: Request,
  outcome: Outcome,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const now = context.clock.now()
    const verdict = judge(delivery, outcome, now)
    const isOurs = await writeDelivery(tx, delivery, { request, outcome, verdict })
    if (!isOurs) return
    if (verdict.state === 'parked') await park(tx, delivery, outcome, now)
    await writeHealth(context, tx, delivery, outcome, now)
  })
}

/** Not for the eyes of the hook any more: there is no trace of it. */
export async function forgetDelivery({ db }: Context, { id }: Pick<TakenDelivery, 'id'>): Promise<void> {
  await db.deleteFrom('webhook_delivery').where('id', '=', id).execute()
}

interface Verdict {
  readonly state: 'delivered' | 'retrying' | 'failed' | 'parked'
  readonly due_on?: Date
}

function judge({ attempts }: TakenDelivery, outcome: Outcome, now: Date): Verdict {
  if (isSuccess(outcome)) return { state: 'delivered' }
  if (!isTransient(outcome)) return { state: 'failed' }
  const delay = DELAYS[attempts - 1]
  if (delay === undefined) return { state: 'parked' }
  const wish = Math.min(wishOf(outcome, now), LONGEST_WISH)
  return { state: 'retrying', due_on: new Date(now.getTime() + Math.max(jittered(delay), wish)) }
}

export function isSuccess({ status }: Outcome): boolean {
  return status !== null && status >= 200 && status < 300
}

/** Whether another attempt may go better. */
export function isTransient({ status, isRefused }: Outcome): boolean {
  if (isRefused) return false
  return status === null || status >= 500 || WORTH_ANOTHER_TRY.has(status)
}

/** Not all at once, where many have failed together. */
function jittered(delay: number): number {
  return Math.round(delay * (0.9 + Math.random() * 0.2))
}

/** `Retry-After`, in milliseconds. */
function wishOf({ headers }: Outcome, now: Date): number {
  const given = headers?.['retry-after']
  if (given === undefined) return 0
  if (/^\d{1,9}$/.test(given)) return Number(given) * SECOND
  const moment = parseHttpDate(given)
  return moment ? Math.max(0, moment.getTime() - now.getTime()) : 0
}

/** False: somebody has taken it from us, since we took so long. */
async function writeDelivery(
  tx: Tx,
  { id, attempts }: TakenDelivery,
  { request, outcome, verdict }: { request: Request; outcome: Outcome; verdict: Verdict },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_delivery')
    .set({
      state: verdict.state,
      ...(verdict.due_on && { due_on: verdict.due_on }),
      taken_until: null,
      tried: true,
      status: outcome.status,
      duration_ms: outcome.duration_ms,
      error: outcome.error,
      request_headers: JSON.stringify(request.headers),
      request_body: request.body,
      answer_headers: outcome.headers && JSON.stringify(outcome.headers),
      answer_body: outcome.body,
      people: [...request.people],
    })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('taken_until', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** Given up: administrators see it among the jobs, and may try again from there. */
async function park(tx: Tx, delivery: TakenDelivery, outcome: Outcome, now: Date): Promise<void> {
  const error = outcome.error ?? `The receiver answered ${outcome.status}.`
  await parkLedgerEntry(
    tx,
    {
      type: DELIVERY_JOB,
      payload: { delivery_id: delivery.id },
      object: deliveryUri(delivery.webhook_id, delivery.id),
    },
    {
      attempts: delivery.attempts,
      failed: { on: now.toISOString(), duration_ms: outcome.duration_ms, error },
    },
  )
}

interface Health {
  readonly failing_since: Date
  readonly active: boolean
}

async function writeHealth(
  context: Context,
  tx: Tx,
  { webhook_id, project_id, tracker_id, url }: TakenDelivery,
  outcome: Outcome,
  now: Date,
): Promise<void> {
  const { status } = outcome
  if (isSuccess(outcome)) {
    await sql`
      update webhook set last_status = ${status}, failures = 0, failing_since = null, held_until = null,
        state = case state when 'failing' then 'ok' else state end
      where id = ${webhook_id}`.execute(tx)
    return
  }
  const { rows } = await sql<Health>`
    update webhook set last_status = coalesce(${status}, last_status), failures = failures + 1,
      failing_since = coalesce(failing_since, ${now}), held_until = ${isTransient(outcome) ? heldUntil(now) : sql`null`},
      state = case state when 'ok' then 'failing' else state end
    where id = ${webhook_id} returning failing_since, active`.execute(tx)
  const [health] = rows
  if (!health?.active) return
  const isLasting = now.getTime() - health.failing_since.getTime() >= PAUSE_AFTER
  if (status !== GONE && !isLasting) return
  const state = status === GONE ? 'off' : 'paused'
  await sql`
    update webhook set active = false, state = ${state}, version = version + 1 where id = ${webhook_id}`.execute(tx)
  const after = { active: false, state }
  const action = state === 'off' ? 'webhook.off' : 'webhook.paused'
  await recordAudit(tx, BY_ITSELF, { action, object: `webhooks/${webhook_id}`, project_id, after })
  if (state === 'paused') await orderPauseMails(context, tx, { webhook_id, project_id, tracker_id, url })
}

const PLATFORM: Viewer = { language: null, time_zone: null, credential: { kind: 'job', id: null } }
const BY_ITSELF = { viewer: PLATFORM, request_id: null, address: null }

/** A receiver that is down is left alone for a while, twice as long each time. What waits for it loses no attempt. */
function heldUntil(now: Date): RawBuilder<unknown> {
  return sql`case when failures + 1 >= ${PATIENCE_WITH_FAILURES} then ${now}::timestamptz + least(
    ${LONGEST_HOLD}::double precision, ${10 * SECOND} * 2 ^ least(failures + 1 - ${PATIENCE_WITH_FAILURES}, 10)
  ) * interval '1 millisecond' end`
}
