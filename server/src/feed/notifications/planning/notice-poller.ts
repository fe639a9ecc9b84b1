import { failpoint } from '#failpoint'
import { inTransaction } from '../../../platform/database/db.ts'
import { type Event, readFeedEnd } from '../../../platform/database/events.ts'
import { toApiError } from '../../../platform/database/database-errors.ts'
import type { Poller } from '../../../platform/jobs/poller.ts'
import type { Context } from '../../../platform/operation/context.ts'
import { jobRunsForEvent } from '../../workflow-jobs/plan-job-runs.ts'
import { type Notice, planNotices } from './plan-notices.ts'
import { findNoticeCursor, readNoticeBatch, resetNoticeCursor } from './notice-cursor.ts'
import { writeNotices } from './write-notices.ts'

const EVENT_BATCH_SIZE = 200

/**
 * Reads the feed with one cursor for all accounts. Plans outside of a transaction, so that none is open for long; if two
 * workers plan the same batch, only the first write succeeds. It also enqueues the jobs that workflows start, which are
 * in the same feed.
 */
export const noticePoller: Poller = {
  name: 'notify',
  async turn(context) {
    const { db } = context
    const { epoch } = await readFeedEnd(db)
    const cursor = await findNoticeCursor(db)
    if (cursor.epoch !== epoch) {
      // After a restore from a backup it is unknown which notifications were sent since the backup.
      await resetNoticeCursor(db)
      return true
    }
    const { events: found, last, isFull } = await readNoticeBatch(db, cursor, EVENT_BATCH_SIZE)
    const { events, notices } = await planWithBisection(context, epoch, found)
    const isWhole = events.length === found.length
    const to = isWhole ? last : events.at(-1)
    if (!to) return false
    failpoint('notice.planned')
    const gone = events
      .filter(({ type }) => type === 'artifact.purged')
      .map(({ object }) => Number(object?.split('/')[1]))
    const runs = events.flatMap((event) => jobRunsForEvent(event, epoch))
    await inTransaction(db, (tx) => writeNotices(tx, context, { epoch, from: cursor, to, gone, runs }, notices))
    failpoint('notice.written')
    return !isWhole || isFull
  },
}

interface PlannedNotices {
  readonly events: readonly Event[]
  readonly notices: readonly Notice[]
}

/**
 * Plans the longest prefix of the batch that can be planned. An event that fails by itself, and not because of the
 * database, is logged and skipped, so that it does not block the feed for ever.
 */
async function planWithBisection(context: Context, epoch: string, events: readonly Event[]): Promise<PlannedNotices> {
  try {
    return { events, notices: await planNotices(context, context.db, epoch, events) }
  } catch (error) {
    if (toApiError(error).reason !== 'internal_error') throw error
    if (events.length > 1) return planWithBisection(context, epoch, events.slice(0, Math.ceil(events.length / 2)))
    context.log.error({ err: error, event_id: events[0]?.id }, 'an event that cannot be parsed sends no notices')
    return { events, notices: [] }
  }
}
