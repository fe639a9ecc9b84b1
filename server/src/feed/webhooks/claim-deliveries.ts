import { type RawBuilder, sql } from 'kysely'
import { aliases } from '../../platform/database/aliases.ts'
import { type Db, inTransaction } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { ProjectId } from '../../projects/project.ts'
import { joinProject } from '../../projects/project-sql.ts'
import { isNotDeleted } from '../../projects/visibility.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { DeliveryId, DeliveryKind } from './delivery.ts'
import type { LockedSecrets } from './sign.ts'
import { type WebhookFormat, type WebhookId, webhookOwner, type WebhookPayload } from './webhook.ts'

/** A leased delivery, with everything that is needed to send it. */
export interface ClaimedDelivery extends LockedSecrets {
  readonly id: DeliveryId
  readonly webhook_id: WebhookId
  readonly kind: DeliveryKind
  readonly event: string
  readonly event_id: string
  readonly xid: string | null
  readonly number: number | null
  readonly object: string | null
  readonly on: Date
  /** Includes the current attempt. */
  readonly attempts: number
  readonly project_id: ProjectId
  readonly tracker_id: TrackerId | null
  readonly events: readonly string[]
  readonly url: string
  readonly format: WebhookFormat
  readonly payload: WebhookPayload
  readonly as_user: AccountId | null
  readonly owner_id: AccountId | null
  readonly failures: number
  /** The version of the hook. */
  readonly version: number
}

/** Deliveries of one hook that were leased together, in the order in which they are sent. */
export interface DeliveryRun {
  readonly webhook_id: WebhookId
  readonly deliveries: readonly ClaimedDelivery[]
  /** The maximum number of concurrent requests. */
  readonly concurrency: number
}

/** Concurrent requests that a process has left, of failing hooks and of all. */
interface FreeRequests {
  readonly all: number
  readonly failing: number
}

const CONCURRENCY_PER_HOOK = 4
/** Longer than a run can take: after it, the worker is assumed dead. */
const LEASE_TIMEOUT_MS = 20_000
/** A hook whose run takes longer gets further deliveries beside it, up to its concurrency. */
const SLOW_RUN_MS = 1000
const FIRST_RUN_LENGTH = 8
const CLAIM_LOCK_NAME = 'takers of webhook deliveries'

/** After this many failures in a row, a receiver gets one delivery at a time, with pauses. */
export const FAILING_THRESHOLD = 5

/**
 * Leases runs of due deliveries. Earlier deliveries of the same object, and of an `ordered` hook all earlier ones, are
 * in the same run or done. `free` limits concurrent requests, and separately those of failing hooks, so that they
 * cannot block the others. A hook with failures gets no more than it may send at once. A lock lets one process claim at
 * a time, so the count of deliveries in flight is exact.
 */
export async function claimRuns(
  db: Db,
  free: FreeRequests,
  now: Date,
  runLengths: ReadonlyMap<WebhookId, number> = new Map(),
): Promise<readonly DeliveryRun[]> {
  if (free.all <= 0) return []
  return inTransaction(db, async (tx) => {
    const { rows: locked } = await sql<{ is_ours: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${CLAIM_LOCK_NAME}, 0)) as is_ours`.execute(tx)
    if (!locked[0]?.is_ours) return []
    const { rows } = await sql<ClaimedDelivery & { concurrency: number }>`
      with due as materialized (
        select webhook.id as webhook_id, first.id, first.due_on, allowed.requests, allowed.length > allowed.requests as is_run,
          webhook.failures >= ${FAILING_THRESHOLD} as is_failing,
          row_number() over (partition by webhook.id order by first.id) as place
        from webhook ${joinProject(sql`webhook.project_id`)} cross join lateral (
          select count(*) as flying, max(taken.taken_until) as last from webhook_delivery taken
          where taken.webhook_id = webhook.id and taken.taken_until > ${now}
        ) busy cross join lateral (${allowedSql(now, runLengths)}) allowed cross join lateral (
          select delivery.id, delivery.due_on from webhook_delivery delivery
          where delivery.webhook_id = webhook.id and delivery.state in ('waiting', 'retrying')
            and ${isClaimable(sql`delivery`, now)}
            and (delivery.kind = 'ping' or not exists (
              select from webhook_delivery earlier
              where earlier.webhook_id = delivery.webhook_id and earlier.object = delivery.object
                and earlier.id < delivery.id and not earlier.tried and earlier.state = 'waiting'
                and not ${isClaimable(sql`earlier`, now)}))
            and (delivery.kind = 'ping' or not webhook.ordered or not exists (
              select from webhook_delivery earlier
              where earlier.webhook_id = delivery.webhook_id and earlier.id < delivery.id and earlier.kind <> 'ping'
                and earlier.state in ('waiting', 'retrying') and not ${isClaimable(sql`earlier`, now)}))
          order by delivery.id limit greatest(0, allowed.length)
        ) first
        where ${isNotDeleted(aliases('project'))} and exists (select from webhook_delivery any_open
          where any_open.webhook_id = webhook.id and any_open.state in ('waiting', 'retrying'))
      ), ranked as (
        select due.*, row_number() over (partition by due.is_failing order by due.due_on, due.id) as rank
        from due where due.place <= due.requests
      ), begun as (
        select ranked.webhook_id from ranked
        where ranked.rank <= case when ranked.is_failing then ${free.failing}::bigint else ${free.all}::bigint end
        order by ranked.is_failing, ranked.rank limit ${free.all}
      ), chosen as (
        select begun.webhook_id, count(*) as concurrency from begun group by begun.webhook_id
      ), taken as (
        update webhook_delivery set taken_until = ${new Date(now.getTime() + LEASE_TIMEOUT_MS)}, attempts = attempts + 1
        from due join chosen on chosen.webhook_id = due.webhook_id
        where webhook_delivery.id = due.id and (due.is_run or due.place <= chosen.concurrency)
        returning webhook_delivery.*, chosen.concurrency
      )
      select taken.id, taken.webhook_id, taken.kind, taken.event, taken.event_id, taken.xid::text as xid, taken.number,
        taken.object, taken."on", taken.attempts, taken.concurrency, webhook.project_id, webhook.tracker_id, webhook.events,
        webhook.url, webhook.format, webhook.payload, webhook.as_user, ${webhookOwner} as owner_id, webhook.secret,
        webhook.old_secret, webhook.old_secret_until, webhook.failures, webhook.version
      from taken join webhook on webhook.id = taken.webhook_id order by taken.id`.execute(tx)
    return [...Map.groupBy(rows, ({ webhook_id }) => webhook_id)].map(([webhook_id, deliveries]) => ({
      webhook_id,
      deliveries,
      concurrency: deliveries[0]?.concurrency ?? 1,
    }))
  })
}

/** How many requests the hook may begin now, and how many deliveries it gets. */
function allowedSql(now: Date, runLengths: ReadonlyMap<WebhookId, number>): RawBuilder<unknown> {
  const slowSince = new Date(now.getTime() + LEASE_TIMEOUT_MS - SLOW_RUN_MS)
  return sql`
    select beginning.requests, case when webhook.failures > 0 or busy.flying > 0 then beginning.requests else coalesce(
      (select known.length from unnest(${[...runLengths.keys()]}::bigint[], ${[...runLengths.values()]}::integer[])
        as known (id, length) where known.id = webhook.id), ${FIRST_RUN_LENGTH}::integer) end as length
    from (select case
      when webhook.failures >= ${FAILING_THRESHOLD} then 1 - busy.flying
      when busy.last > ${slowSince} then 0
      when webhook.ordered and busy.flying = 0 then 1
      else ${CONCURRENCY_PER_HOOK}::integer - busy.flying end as requests) beginning`
}

/** Whether the delivery is due and free, and its hook may send it now. */
function isClaimable(delivery: RawBuilder<unknown>, now: Date): RawBuilder<boolean> {
  return sql`(${delivery}.due_on <= ${now} and (${delivery}.taken_until is null or ${delivery}.taken_until <= ${now})
    and (${delivery}.kind = 'ping'
      or ${delivery}.kind = 'redelivered' and webhook.state_reason is distinct from 'owner_lost_rights'
      or webhook.active and (webhook.held_until is null or webhook.held_until <= ${now})))`
}
