import { toLocalDay, parseDay, parseInstant, parseLooseDate, wallClock } from '../../platform/wire/dates.ts'
import type { Period } from './field-search.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const LITERAL = /^\d{4}-\d\d-\d\d( \d\d:\d\d)?$/
/** The form of a literal that errors name. */
export const LITERAL_FORM = { format: 'YYYY-MM-DD / YYYY-MM-DD hh:mm', example: '2026-03-01' }
const WITH_OFFSET = /^.{11,}(?:Z|[+-]\d\d(?::?\d\d)?)$/
const LAST_YEAR = 9999

/** A day or a minute as a half-open interval. Days count from 1970-01-01. */
export interface DateSpan {
  readonly start: number
  readonly end: number
}

/** The calendar of a field: days without time zone, or milliseconds, whose days start in a time zone. */
export interface Calendar {
  readonly isTimed: boolean
  readonly zone: string
}

/** The day of a criterion; undefined if it is not a date. */
export function dayGiven(given: unknown, calendar: Calendar): DateSpan | undefined {
  if (typeof given !== 'string') return undefined
  if (!calendar.isTimed || !WITH_OFFSET.test(given)) return dayNamed(parseDay(given), calendar)
  // The date has its own time zone, so it can be another day in the caller's time zone.
  const instant = parseLooseDate(given, calendar.zone)
  return instant && dayNamed(toLocalDay(calendar.zone, instant), calendar)
}

/** The day or minute of a literal; undefined if it is not a date, or has a time although the field has none. */
export function spanWritten(text: string, calendar: Calendar): DateSpan | undefined {
  const written = LITERAL.exec(text)
  if (!written) return undefined
  if (written[1] === undefined) return dayNamed(parseDay(text), calendar)
  return calendar.isTimed ? minuteFrom(parseLooseDate(text, calendar.zone)) : undefined
}

/** The current day or minute, shifted by the period; undefined if outside the range of years. */
export function spanOfNow(now: Date, period: Period | undefined, calendar: Calendar): DateSpan | undefined {
  const { isTimed, zone } = calendar
  if (!period && isTimed) return minuteFrom(new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS))
  const wall = wallClock(zone, now)
  const day = period ? dayAfter(wall.slice(0, 10), period) : wall.slice(0, 10)
  if (!isTimed) return dayNamed(day, calendar)
  return day === undefined ? undefined : minuteFrom(parseLooseDate(`${day}${wall.slice(10)}`, zone))
}

function dayNamed(day: string | undefined, { isTimed, zone }: Calendar): DateSpan | undefined {
  if (day === undefined) return undefined
  const wall = Date.parse(day)
  if (!isTimed) return { start: wall / DAY_MS, end: wall / DAY_MS + 1 }
  return { start: beginning(wall, zone), end: beginning(wall + DAY_MS, zone) }
}

/** The start of a day in a time zone; approximate at the limits of the year range. */
function beginning(wall: number, zone: string): number {
  return (parseInstant(new Date(wall).toISOString().slice(0, 19), zone) ?? new Date(wall)).getTime()
}

function minuteFrom(instant: Date | undefined): DateSpan | undefined {
  return instant && { start: instant.getTime(), end: instant.getTime() + MINUTE_MS }
}

/** Days past the end of the month are clamped to its last day. */
function dayAfter(day: string, { count, unit }: Period): string | undefined {
  const date = new Date(day)
  if (unit === 'd' || unit === 'w') return dayAt(date.getTime() + count * DAY_MS * (unit === 'w' ? 7 : 1))
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() + count * (unit === 'y' ? 12 : 1)
  const [year, monthOfYear] = [Math.floor(month / 12), ((month % 12) + 12) % 12]
  if (year < 1 || year > LAST_YEAR) return undefined
  return dayAt(Math.min(utc(year, monthOfYear, date.getUTCDate()), utc(year, monthOfYear + 1, 0)))
}

// `Date.UTC` maps the years 0 to 99 to 1900 to 1999.
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day)
}

function dayAt(time: number): string | undefined {
  const date = new Date(time)
  const year = date.getUTCFullYear()
  return year >= 1 && year <= LAST_YEAR ? date.toISOString().slice(0, 10) : undefined
}
