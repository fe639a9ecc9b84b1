import { sql } from 'kysely'
import type { Eraser } from '../../accounts/users/erase-user.ts'
import type { Sweeper } from '../../platform/jobs/clean-up.ts'

const DAY_MS = 86_400_000
const BODY_RETENTION_MS = 7 * DAY_MS
const CLEAN_BATCH_SIZE = 2000

/** Removes bodies after a week, and finished deliveries after the retention time. */
export const cleanDeliveries: Sweeper = async ({ db, settings }, now) => {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  const rowRetentionMs = settings.current.delivery_retention_days * DAY_MS
  for (let count = CLEAN_BATCH_SIZE; count === CLEAN_BATCH_SIZE; ) {
    const { numAffectedRows = 0n } = await sql`
      update webhook_delivery set request_body = null, answer_body = null, people = '{}'
      where id in (select id from webhook_delivery
        where "on" <= ${ago(BODY_RETENTION_MS)} and (request_body is not null or answer_body is not null)
        order by "on" limit ${CLEAN_BATCH_SIZE})`.execute(db)
    count = Number(numAffectedRows)
  }
  for (let count = CLEAN_BATCH_SIZE; count === CLEAN_BATCH_SIZE; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from webhook_delivery where id in (select id from webhook_delivery
        where "on" <= ${ago(rowRetentionMs)} and state in ('delivered', 'failed', 'parked')
        order by "on" limit ${CLEAN_BATCH_SIZE})`.execute(db)
    count = Number(numAffectedRows)
  }
}

/** Request bodies may name the account, and responses may repeat it. */
export const eraseInDeliveries: Eraser = async ({ tx }, account) => {
  await sql`
    update webhook_delivery set request_body = null, answer_body = null, people = '{}'
    where ${account}::bigint = any(people)`.execute(tx)
}
