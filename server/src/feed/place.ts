import type { Cursor, FeedState } from '../platform/database/events.ts'
import { isAfter } from '../platform/database/events.ts'
import { ApiError } from '../platform/words/errors.ts'

/** A cursor that outlives everything but a restore: the feed has another epoch then, and other events. */
export interface Place extends Cursor {
  readonly epoch: string
}

const FORM = /^([0-9a-f]{1,32})\.([0-9a-f]{1,16})\.([0-9a-f]{1,13})$/

/** Opaque to clients: epoch, transaction and number, each in hexadecimal. */
export function writePlace({ epoch, xid, id }: Place): string {
  return `${epoch}.${BigInt(xid).toString(16)}.${id.toString(16)}`
}

export function readPlace(text: string, path: string): Place {
  const [, epoch, xid, id] = FORM.exec(text) ?? []
  if (epoch === undefined || xid === undefined || id === undefined)
    throw new ApiError('parameter_invalid', { path, rule: 'format' })
  return { epoch, xid: BigInt(`0x${xid}`).toString(), id: Number.parseInt(id, 16) }
}

/**
 * Refuses a place from which nothing can be read any more without a gap: of another epoch, older than what is kept, or
 * ahead of everything, as after a failure that the database came back from with less than it had.
 */
export function requireKept({ epoch, removed, horizon }: FeedState, place: Place): void {
  if (place.epoch !== epoch || isAfter(removed, place) || isAfter(place, horizon)) throw new ApiError('cursor_expired')
}
