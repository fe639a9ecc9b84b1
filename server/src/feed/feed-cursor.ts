import type { Cursor, FeedState } from '../platform/database/events.ts'
import { isCursorAfter } from '../platform/database/events.ts'
import { ApiError } from '../platform/messages/errors.ts'

/** A cursor that stays valid until the database is restored: a restored feed has another epoch and other events. */
export interface FeedCursor extends Cursor {
  readonly epoch: string
}

const FEED_CURSOR_PATTERN = /^([0-9a-f]{1,32})\.([0-9a-f]{1,16})\.([0-9a-f]{1,13})$/

/** Opaque to clients: epoch, transaction and number, each in hexadecimal. */
export function formatFeedCursor({ epoch, xid, id }: FeedCursor): string {
  return `${epoch}.${BigInt(xid).toString(16)}.${id.toString(16)}`
}

export function parseFeedCursor(text: string, path: string): FeedCursor {
  const [, epoch, xid, id] = FEED_CURSOR_PATTERN.exec(text) ?? []
  if (epoch === undefined || xid === undefined || id === undefined)
    throw new ApiError('parameter_invalid', { path, rule: 'format' })
  return { epoch, xid: BigInt(`0x${xid}`).toString(), id: Number.parseInt(id, 16) }
}

/**
 * Rejects a cursor from which the feed cannot be read without a gap: another epoch, older than the retained events, or
 * ahead of the horizon (after a recovery that lost events).
 */
export function assertCursorRetained({ epoch, removed, horizon }: FeedState, cursor: FeedCursor): void {
  if (cursor.epoch !== epoch || isCursorAfter(removed, cursor) || isCursorAfter(cursor, horizon))
    throw new ApiError('cursor_expired')
}
