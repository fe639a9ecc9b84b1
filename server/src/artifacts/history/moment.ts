import { parseInstant } from '../../platform/wire/dates.ts'
import { ApiError } from '../../platform/words/errors.ts'

const DAY = /^\d{4}-\d\d-\d\d$/
const FRACTION = /\.(\d{1,6})\d*/

/**
 * The instant that is asked for, as PostgreSQL reads it: versions are told apart by microseconds, which a Date does not
 * hold. A day means its end.
 */
export function readMoment(text: string, zone: string): string {
  const instant = parseInstant(DAY.test(text) ? `${text}T23:59:59.999` : text, zone)
  if (!instant) throw new ApiError('parameter_invalid', { path: 'at', rule: 'format' })
  const fraction = DAY.test(text) ? '999999' : (FRACTION.exec(text)?.[1] ?? '0').padEnd(6, '0')
  return `${instant.toISOString().slice(0, 19)}.${fraction}Z`
}
