import { Type } from 'typebox'
import { sql } from 'kysely'
import { defineJob } from '../../platform/jobs/job.ts'
import { DELIVERY_JOB } from './record-outcome.ts'

/** Resets the attempts of a failed delivery and makes it due now. The outcome is in the delivery log. */
export const deliveryJob = defineJob({
  type: DELIVERY_JOB,
  payload: Type.Object({ delivery_id: Type.Integer() }),
  async run({ db, clock }, { delivery_id }) {
    await sql`
      with again as (
        update webhook_delivery set state = 'retrying', attempts = 0, due_on = ${clock.now()}
        where id = ${delivery_id} and state = 'parked' returning webhook_id
      )
      update webhook set held_until = null from again where webhook.id = again.webhook_id`.execute(db)
  },
})
