import { sql } from 'kysely'
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
}

const CONCURRENCY_PER_HOOK = 4
/** Longer than a delivery can take: after it, the worker is assumed dead. */
const LEASE_TIMEOUT_MS = 20_000
const CLAIM_LOCK_NAME = 'takers of webhook deliveries'

/** After this many failures in a row, a receiver gets one delivery at a time, with pauses. */
export const FAILING_THRESHOLD = 5

/**
 * Leases due deliveries: at most 4 at once per hook, and first attempts of one object in order. `free` limits the
 * number, and separately that of failing hooks, so that they cannot block the others. A lock lets one process claim at
 * a time, so the count of deliveries in flight is exact.
 */
export async function claimDeliveries(
  db: Db,
  free: { all: number; failing: number },
  now: Date,
): Promise<readonly ClaimedDelivery[]> {
  if (free.all <= 0) return []
  return inTransaction(db, async (tx) => {
    const { rows: locked } = await sql<{ is_ours: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${CLAIM_LOCK_NAME}, 0)) as is_ours`.execute(tx)
    if (!locked[0]?.is_ours) return []
    const { rows } = await sql<ClaimedDelivery>`
      with due as materialized (
        select first.id, first.due_on, webhook.failures >= ${FAILING_THRESHOLD} as is_failing
        from webhook ${joinProject(sql`webhook.project_id`)} cross join lateral (
          select count(*) as flying from webhook_delivery taken
          where taken.webhook_id = webhook.id and taken.taken_until > ${now}
        ) busy cross join lateral (
          select delivery.id, delivery.due_on from webhook_delivery delivery
          where delivery.webhook_id = webhook.id and delivery.state in ('waiting', 'retrying')
            and delivery.due_on <= ${now} and (delivery.taken_until is null or delivery.taken_until <= ${now})
            and (delivery.kind = 'ping'
              or delivery.kind = 'redelivered' and webhook.state_reason is distinct from 'owner_lost_rights'
              or webhook.active and (webhook.held_until is null or webhook.held_until <= ${now}))
            and (delivery.kind = 'ping' or not exists (
              select from webhook_delivery earlier
              where earlier.webhook_id = delivery.webhook_id and earlier.object = delivery.object
                and earlier.id < delivery.id and not earlier.tried and earlier.state = 'waiting'))
            and (delivery.kind = 'ping' or not webhook.ordered or not exists (
              select from webhook_delivery earlier
              where earlier.webhook_id = delivery.webhook_id and earlier.id < delivery.id and earlier.kind <> 'ping'
                and earlier.state in ('waiting', 'retrying')))
          order by delivery.id
          limit greatest(0, case when webhook.failures >= ${FAILING_THRESHOLD} then 1 else ${CONCURRENCY_PER_HOOK}::integer end
            - busy.flying)
        ) first
        where ${isNotDeleted(aliases('project'))} and exists (select from webhook_delivery any_open
          where any_open.webhook_id = webhook.id and any_open.state in ('waiting', 'retrying'))
      ), ranked as (
        select due.id, due.is_failing, row_number() over (partition by due.is_failing order by due.due_on, due.id) as rank
        from due
      ), chosen as (
        select ranked.id from ranked
        where ranked.rank <= case when ranked.is_failing then ${free.failing}::bigint else ${free.all}::bigint end
        order by ranked.is_failing, ranked.rank limit ${free.all}
      ), taken as (
        update webhook_delivery set taken_until = ${new Date(now.getTime() + LEASE_TIMEOUT_MS)}, attempts = attempts + 1
        from chosen where webhook_delivery.id = chosen.id
        returning webhook_delivery.*
      )
      select taken.id, taken.webhook_id, taken.kind, taken.event, taken.event_id, taken.xid::text as xid, taken.number,
        taken."on", taken.attempts, webhook.project_id, webhook.tracker_id, webhook.events, webhook.url, webhook.format,
        webhook.payload, webhook.as_user, ${webhookOwner} as owner_id, webhook.secret, webhook.old_secret, webhook.old_secret_until, webhook.failures
      from taken join webhook on webhook.id = taken.webhook_id order by taken.id`.execute(tx)
    return rows
  })
}
