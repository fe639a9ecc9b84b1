import { type RawBuilder, sql } from 'kysely'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { parkLedgerEntry } from '../../platform/jobs/job-ledger.ts'
import type { Context } from '../../platform/operation/context.ts'
import { RETRY_DELAYS_MS } from '../../platform/jobs/retry-delays.ts'
import { parseHttpDate } from '../../platform/wire/dates.ts'
import { deliveryUri } from './delivery.ts'
import type { RequestOutcome } from './send-outbound-request.ts'
import { stopWebhook } from './stop-webhook.ts'
import { FAILING_THRESHOLD, type ClaimedDelivery } from './claim-deliveries.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const MAX_RETRY_AFTER_MS = HOUR_MS
const MAX_HOLD_MS = 5 * MINUTE_MS
const PAUSE_AFTER_MS = 3 * DAY_MS
const RETRYABLE_STATUSES = new Set([408, 425, 429])
const HTTP_GONE = 410

/** The job that retries a parked delivery. */
export const DELIVERY_JOB = 'webhook_delivery'

/** The request as the log stores it. */
export interface LoggedRequest {
  readonly headers: Record<string, string>
  readonly body: string
  readonly people: readonly number[]
}

/** Stores the result of a failed attempt and the new state of delivery and hook. */
export async function recordFailure(
  context: Context,
  delivery: ClaimedDelivery,
  request: LoggedRequest,
  outcome: RequestOutcome,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const now = context.clock.now()
    const decision = decideDeliveryState(delivery, outcome, now)
    const isOurs = await writeDelivery(tx, delivery, { request, outcome, verdict: decision })
    if (!isOurs) return
    if (decision.state === 'parked') await park(tx, delivery, outcome, now)
    await updateWebhookHealth(context, tx, delivery, outcome, now)
  })
}

interface DeliveryDecision {
  readonly state: 'retrying' | 'failed' | 'parked'
  readonly due_on?: Date
}

function decideDeliveryState({ attempts }: ClaimedDelivery, outcome: RequestOutcome, now: Date): DeliveryDecision {
  if (!isTransient(outcome)) return { state: 'failed' }
  const delay = RETRY_DELAYS_MS[attempts - 1]
  if (delay === undefined) return { state: 'parked' }
  const requestedDelay = Math.min(retryAfterMs(outcome, now), MAX_RETRY_AFTER_MS)
  return { state: 'retrying', due_on: new Date(now.getTime() + Math.max(jittered(delay), requestedDelay)) }
}

export function isSuccess({ status }: RequestOutcome): boolean {
  return status !== null && status >= 200 && status < 300
}

/** Whether a retry may succeed. */
export function isTransient({ status, isRefused }: RequestOutcome): boolean {
  if (isRefused) return false
  return status === null || status >= 500 || RETRYABLE_STATUSES.has(status)
}

/** Spreads the retries of deliveries that have failed together. */
function jittered(delay: number): number {
  return Math.round(delay * (0.9 + Math.random() * 0.2))
}

/** The `Retry-After` header in milliseconds. */
function retryAfterMs({ headers }: RequestOutcome, now: Date): number {
  const given = headers?.['retry-after']
  if (given === undefined) return 0
  if (/^\d{1,9}$/.test(given)) return Number(given) * SECOND_MS
  const moment = parseHttpDate(given)
  return moment ? Math.max(0, moment.getTime() - now.getTime()) : 0
}

/** False: the lease has expired and another worker has claimed the delivery. */
async function writeDelivery(
  tx: Tx,
  { id, attempts }: ClaimedDelivery,
  {
    request,
    outcome,
    verdict: decision,
  }: { request: LoggedRequest; outcome: RequestOutcome; verdict: DeliveryDecision },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_delivery')
    .set({
      state: decision.state,
      ...(decision.due_on && { due_on: decision.due_on }),
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

/** Gives up: administrators see the delivery among the jobs and can retry it there. */
async function park(tx: Tx, delivery: ClaimedDelivery, outcome: RequestOutcome, now: Date): Promise<void> {
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

interface WebhookHealth {
  readonly failing_since: Date
  readonly active: boolean
}

async function updateWebhookHealth(
  context: Context,
  tx: Tx,
  { webhook_id, project_id, tracker_id, url }: ClaimedDelivery,
  outcome: RequestOutcome,
  now: Date,
): Promise<void> {
  const { status } = outcome
  const { rows } = await sql<WebhookHealth>`
    update webhook set last_status = coalesce(${status}, last_status), failures = failures + 1,
      failing_since = coalesce(failing_since, ${now}), held_until = ${isTransient(outcome) ? heldUntil(now) : sql`null`},
      state = case state when 'ok' then 'failing' else state end
    where id = ${webhook_id} returning failing_since, active`.execute(tx)
  const [health] = rows
  if (!health?.active) return
  const isLasting = now.getTime() - health.failing_since.getTime() >= PAUSE_AFTER_MS
  if (status !== HTTP_GONE && !isLasting) return
  const reason = status === HTTP_GONE ? 'receiver_gone' : 'receiver_failing'
  await stopWebhook(context, tx, { id: webhook_id, project_id, tracker_id, url }, reason)
}

/** Exponential backoff for a receiver that is down. Waiting deliveries lose no attempt. */
function heldUntil(now: Date): RawBuilder<unknown> {
  return sql`case when failures + 1 >= ${FAILING_THRESHOLD} then ${now}::timestamptz + least(
    ${MAX_HOLD_MS}::double precision, ${10 * SECOND_MS} * 2 ^ least(failures + 1 - ${FAILING_THRESHOLD}, 10)
  ) * interval '1 millisecond' end`
}
