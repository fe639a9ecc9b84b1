import { Set as setFormat } from 'typebox/format'
import { parseInstant } from './dates.ts'
import { isNetwork } from '../operation/networks.ts'

// What no pattern can say: schemas name these by `format`, so that such faults stand among all others of an input.
export const MOMENT = 'moment'
export const NETWORK = 'network'
setFormat(MOMENT, (text) => momentIn(text, 'UTC') !== undefined)
setFormat(NETWORK, isNetwork)

/** A date-time, or a day for its beginning; what says no zone is meant in `zone`. */
export function momentIn(text: string, zone: string): Date | undefined {
  return parseInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00` : text, zone)
}
