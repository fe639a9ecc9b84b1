import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import { stopWebhook } from './stop-webhook.ts'

/** Deletes deliveries that the hook's viewer may not read any more, so that the log does not mention them. */
export async function deleteDeliveries({ db }: Context, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  if (deliveries.length === 0) return
  const ids = deliveries.map(({ id }) => id)
  await db.deleteFrom('webhook_delivery').where('id', 'in', ids).execute()
}

/** Returns deliveries unsent, without counting the attempt: they are claimed again. */
export async function returnDeliveries(db: Db | Tx, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  if (deliveries.length === 0) return
  await sql`
    update webhook_delivery set taken_until = null, attempts = webhook_delivery.attempts - 1
    from unnest(${deliveries.map(({ id }) => id)}::bigint[], ${deliveries.map(({ attempts }) => attempts)}::integer[])
      as unsent (id, attempts)
    where webhook_delivery.id = unsent.id and ${isStillLeased(sql`unsent`)}`.execute(db)
}

/** Stops the hook, and returns deliveries unsent: they wait until it has an owner with permissions again. */
export async function stopForLostRights(context: Context, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  const [hook] = deliveries
  if (!hook) return
  await inTransaction(context.db, async (tx) => {
    await returnDeliveries(tx, deliveries)
    await stopWebhook(context, tx, { ...hook, id: hook.webhook_id }, 'owner_lost_rights')
  })
}

/** False: the lease has expired and another worker has claimed the delivery. */
export function isStillLeased(claimed: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(webhook_delivery.attempts = ${claimed}.attempts and webhook_delivery.taken_until is not null)`
}
