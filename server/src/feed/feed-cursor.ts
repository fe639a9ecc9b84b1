import type { Db, Tx } from '../platform/database/db.ts'
import type { Cursor, FeedState } from '../platform/database/events.ts'
import { isCursorAfter } from '../platform/database/events.ts'
import { findEventPosition, findPositionBefore } from '../platform/database/feed-end.ts'
import { ApiError } from '../platform/messages/errors.ts'

/** A cursor that stays valid until the database is restored: a restored feed has another epoch and other events. */
export interface FeedCursor extends Cursor {
  readonly epoch: string
}

/** A cursor of an earlier version, whose feed was ordered by the number of the transaction and the id of the event. */
interface TransactionCursor {
  readonly epoch: string
  readonly xid: string
  readonly id: number
}

const FEED_CURSOR_PATTERN = /^([0-9a-f]{1,32})\.([0-9a-f]{1,13})$/
const TRANSACTION_CURSOR_PATTERN = /^([0-9a-f]{1,32})\.([0-9a-f]{1,16})\.([0-9a-f]{1,13})$/

/** Opaque to clients: epoch and position, each in hexadecimal. */
export function formatFeedCursor({ epoch, position }: FeedCursor): string {
  return `${epoch}.${position.toString(16)}`
}

export function parseFeedCursor(text: string, path: string): FeedCursor | TransactionCursor {
  const [, epoch, position] = FEED_CURSOR_PATTERN.exec(text) ?? []
  if (epoch !== undefined && position !== undefined) return { epoch, position: Number.parseInt(position, 16) }
  const [, oldEpoch, xid, id] = TRANSACTION_CURSOR_PATTERN.exec(text) ?? []
  if (oldEpoch === undefined || xid === undefined || id === undefined)
    throw new ApiError('parameter_invalid', { path, rule: 'format' })
  return { epoch: oldEpoch, xid: BigInt(`0x${xid}`).toString(), id: Number.parseInt(id, 16) }
}

/**
 * The position of a cursor of either form: for the old one, that before the first event that it has not read. Events may
 * be repeated, but none is skipped.
 */
export async function resolveFeedCursor(db: Db | Tx, cursor: FeedCursor | TransactionCursor): Promise<FeedCursor> {
  if ('position' in cursor) return cursor
  const { epoch, xid, id } = cursor
  const { position, is_expired } = await findPositionBefore(db, xid, id)
  if (is_expired) throw new ApiError('cursor_expired')
  return { epoch, position }
}

/** The position of the event that a cursor names, if it is retained. */
export async function resolveLastEvent(db: Db | Tx, cursor: FeedCursor | TransactionCursor): Promise<FeedCursor> {
  if ('position' in cursor) return cursor
  const position = await findEventPosition(db, cursor.id)
  return position === null ? resolveFeedCursor(db, cursor) : { epoch: cursor.epoch, position }
}

/**
 * Rejects a cursor from which the feed cannot be read without a gap: another epoch, older than the retained events, or
 * ahead of the horizon (after a recovery that lost events).
 */
export function assertCursorRetained({ epoch, removed, horizon }: FeedState, cursor: FeedCursor): void {
  if (cursor.epoch !== epoch || isCursorAfter(removed, cursor) || isCursorAfter(cursor, horizon))
    throw new ApiError('cursor_expired')
}
