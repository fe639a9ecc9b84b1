import { Set as setFormat } from 'typebox/format'
import { parseInstant } from './dates.ts'
import { isNetwork } from '../operation/networks.ts'

// Formats that no pattern can express, so that such errors are reported with all others of an input.
export const MOMENT = 'moment'
export const NETWORK = 'network'
setFormat(MOMENT, (text) => parseMoment(text, 'UTC') !== undefined)
setFormat(NETWORK, isNetwork)

/** Parses a date-time, or a day as its start; without a zone it is in `zone`. */
export function parseMoment(text: string, zone: string): Date | undefined {
  return parseInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00` : text, zone)
}
