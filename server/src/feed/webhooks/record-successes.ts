import { sql } from 'kysely'
import { type Db, inSingleStatement } from '../../platform/database/db.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import type { LoggedRequest } from './record-outcome.ts'
import { isStillLeased } from './return-deliveries.ts'
import type { RequestOutcome } from './send-outbound-request.ts'
import type { WebhookId } from './webhook.ts'

/** A successful attempt. */
export interface DeliverySuccess {
  readonly delivery: ClaimedDelivery
  readonly request: LoggedRequest
  readonly outcome: RequestOutcome
}

/**
 * Stores the results of successful attempts of one hook in one statement. Writes the hook only if its state changes.
 * Returns the current version of the hook; undefined if it is gone.
 */
export async function recordSuccesses(
  db: Db,
  webhook_id: WebhookId,
  successes: readonly DeliverySuccess[],
): Promise<number | undefined> {
  const status = successes.at(-1)?.outcome.status ?? null
  const list = <T>(read: (success: DeliverySuccess) => T) => successes.map(read)
  const { rows } = await inSingleStatement(db, (connection) =>
    sql<{ version: number }>`
    with success as (
      select * from unnest(${list(({ delivery }) => delivery.id)}::bigint[],
        ${list(({ delivery }) => delivery.attempts)}::integer[], ${list(({ outcome }) => outcome.status)}::integer[],
        ${list(({ outcome }) => outcome.duration_ms)}::integer[],
        ${list(({ request }) => JSON.stringify(request.headers))}::text[], ${list(({ request }) => request.body)}::text[],
        ${list(({ outcome }) => outcome.headers && JSON.stringify(outcome.headers))}::text[],
        ${list(({ outcome }) => outcome.body)}::text[], ${list(({ request }) => `{${request.people.join()}}`)}::text[])
        as success (id, attempts, status, duration_ms, request_headers, request_body, answer_headers, answer_body, people)
    ), done as (
      update webhook_delivery set state = 'delivered', taken_until = null, tried = true, status = success.status,
        duration_ms = success.duration_ms, error = null, request_headers = success.request_headers::jsonb,
        request_body = success.request_body, answer_headers = success.answer_headers::jsonb,
        answer_body = success.answer_body, people = success.people::bigint[]
      from success where webhook_delivery.id = success.id and ${isStillLeased(sql`success`)}
      returning webhook_delivery.id
    ), health as (
      update webhook set last_status = ${status}, failures = 0, failing_since = null,
        held_until = null, state = case state when 'failing' then 'ok' else state end
      where webhook.id = ${webhook_id} and exists (select from done) and (webhook.last_status is distinct from ${status}
        or webhook.failures > 0 or webhook.failing_since is not null or webhook.held_until is not null
        or webhook.state = 'failing')
    )
    select webhook.version from webhook where webhook.id = ${webhook_id}`.execute(connection),
  )
  return rows[0]?.version
}
