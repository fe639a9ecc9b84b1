import { sql } from 'kysely'
import type { Eraser } from '../../accounts/users/erase-user.ts'
import type { Sweeper } from '../../platform/jobs/clean-up.ts'

const DAY = 86_400_000
const BODIES_STAY = 7 * DAY
const AT_ONCE = 2000

/** Takes the bodies out of the log after a week, and what is finished after a month. */
export const cleanDeliveries: Sweeper = async ({ db, settings }, now) => {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  const rowsStay = settings.current.delivery_retention_days * DAY
  for (let count = AT_ONCE; count === AT_ONCE; ) {
    const { numAffectedRows = 0n } = await sql`
      update webhook_delivery set request_body = null, answer_body = null, people = '{}'
      where id in (select id from webhook_delivery
        where "on" <= ${ago(BODIES_STAY)} and (request_body is not null or answer_body is not null)
        order by "on" limit ${AT_ONCE})`.execute(db)
    count = Number(numAffectedRows)
  }
  for (let count = AT_ONCE; count === AT_ONCE; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from webhook_delivery where id in (select id from webhook_delivery
        where "on" <= ${ago(rowsStay)} and state in ('delivered', 'failed', 'parked')
        order by "on" limit ${AT_ONCE})`.execute(db)
    count = Number(numAffectedRows)
  }
}

/** What was sent may name the person, and a receiver may have said it again. */
export const eraseInDeliveries: Eraser = async ({ tx }, account) => {
  await sql`
    update webhook_delivery set request_body = null, answer_body = null, people = '{}'
    where ${account}::bigint = any(people)`.execute(tx)
}
