import { sql } from 'kysely'
import type { Poller } from '../platform/jobs/poller.ts'

/**
 * Adds the changes of totals to the rows of their trackers. A tracker whose row is locked by a long transaction waits
 * for a later turn; its total is exact anyhow, because readers add the changes.
 */
export const foldTotals: Poller = {
  name: 'fold_totals',
  async turn({ db }) {
    await sql`
      with locked as materialized (
        select tracker_total.tracker_id from tracker_total
        where tracker_total.tracker_id in (select tracker_total_change.tracker_id from tracker_total_change)
        order by tracker_total.tracker_id for update skip locked
      ), gone as (
        delete from tracker_total_change using locked where tracker_total_change.tracker_id = locked.tracker_id
        returning tracker_total_change.tracker_id, tracker_total_change.artifacts
      )
      update tracker_total set artifacts = tracker_total.artifacts + folded.artifacts
      from (select gone.tracker_id, sum(gone.artifacts) as artifacts from gone group by gone.tracker_id) folded
      where tracker_total.tracker_id = folded.tracker_id`.execute(db)
    return false
  },
}
