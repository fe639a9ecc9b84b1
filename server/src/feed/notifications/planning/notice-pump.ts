import { failpoint } from '#failpoint'
import { inTransaction } from '../../../platform/database/db.ts'
import { readEvents, readFeedState } from '../../../platform/database/events.ts'
import type { Pump } from '../../../platform/jobs/pump.ts'
import { planNotices } from './plan-notices.ts'
import { writeNotices } from './write-notices.ts'

const AT_ONCE = 200

/**
 * Reads the feed for everybody, from one place. It thinks without a transaction, because all readers of the feed wait for
 * the oldest one that is open; of two workers that did the same, only the first one's counts.
 */
export const noticePump: Pump = {
  name: 'notify',
  async turn(context) {
    const { db } = context
    const place = await db.selectFrom('notice_reader').select(['epoch', 'xid', 'id']).executeTakeFirstOrThrow()
    const { epoch, horizon } = await readFeedState(db)
    if (place.epoch !== epoch) {
      // Restored from a copy: who was told of what since it was made is not known any more.
      await db.updateTable('notice_reader').set({ epoch, xid: horizon.xid, id: 0 }).execute()
      return true
    }
    const events = await readEvents(db, place, AT_ONCE)
    const to = events.at(-1)
    if (!to) return false
    const notices = await planNotices(context, db, epoch, events)
    failpoint('notice.planned')
    const gone = events
      .filter(({ type }) => type === 'artifact.purged')
      .map(({ object }) => Number(object?.split('/')[1]))
    await inTransaction(db, (tx) => writeNotices(tx, context, { epoch, from: place, to, gone }, notices))
    failpoint('notice.written')
    return events.length === AT_ONCE
  },
}
