import { Type } from 'typebox'
import { sql } from 'kysely'
import { defineJob } from '../../platform/jobs/job.ts'
import { DELIVERY_JOB } from './record-outcome.ts'

/** Gives a delivery that was given up all its attempts again, the first of them at once. How they go, its log says. */
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
