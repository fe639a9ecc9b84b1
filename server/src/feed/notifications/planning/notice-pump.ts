import { failpoint } from '#failpoint'
import { inTransaction } from '../../../platform/database/db.ts'
import { type Event, readEvents, readFeedState } from '../../../platform/database/events.ts'
import { toApiError } from '../../../platform/database/faults.ts'
import type { Pump } from '../../../platform/jobs/pump.ts'
import type { Context } from '../../../platform/operation/context.ts'
import { runsAskedBy } from '../../workflow-jobs/order-runs.ts'
import { type Notice, planNotices } from './plan-notices.ts'
import { writeNotices } from './write-notices.ts'

const AT_ONCE = 200

/**
 * Reads the feed for everybody, from one place. It thinks without a transaction, because all readers of the feed wait for
 * the oldest one that is open; of two workers that did the same, only the first one's counts. What workflows start
 * elsewhere is ordered here too: it is in the same feed, and wants the same care.
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
    const found = await readEvents(db, place, AT_ONCE)
    const { events, notices } = await planSome(context, epoch, found)
    const to = events.at(-1)
    if (!to) return false
    failpoint('notice.planned')
    const gone = events
      .filter(({ type }) => type === 'artifact.purged')
      .map(({ object }) => Number(object?.split('/')[1]))
    const runs = events.flatMap((event) => runsAskedBy(event, epoch))
    await inTransaction(db, (tx) => writeNotices(tx, context, { epoch, from: place, to, gone, runs }, notices))
    failpoint('notice.written')
    return events.length < found.length || found.length === AT_ONCE
  },
}

interface Planned {
  readonly events: readonly Event[]
  readonly notices: readonly Notice[]
}

/**
 * As many of these, from the first one on, as can be planned together. Who keeps us from planning would keep everybody from
 * being told, for ever: one that fails by itself, and not for want of a database, is left out, and the log says so.
 */
async function planSome(context: Context, epoch: string, events: readonly Event[]): Promise<Planned> {
  try {
    return { events, notices: await planNotices(context, context.db, epoch, events) }
  } catch (error) {
    if (toApiError(error).reason !== 'internal_error') throw error
    if (events.length > 1) return planSome(context, epoch, events.slice(0, Math.ceil(events.length / 2)))
    context.log.error({ err: error, event_id: events[0]?.id }, 'nobody is told of an event that cannot be understood')
    return { events, notices: [] }
  }
}
