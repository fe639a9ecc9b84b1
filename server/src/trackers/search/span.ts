import { dayIn, parseDay, parseInstant, parseWritten, wallClock } from '../../platform/wire/dates.ts'
import type { Period } from './field-search.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const LITERAL = /^\d{4}-\d\d-\d\d( \d\d:\d\d)?$/
const WITH_OFFSET = /^.{11,}(?:Z|[+-]\d\d(?::?\d\d)?)$/
const LAST_YEAR = 9999

/** A day or a minute: from its beginning up to that of the next one. Days are counted from 1970-01-01. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** How a field counts: its own days, which are the same everywhere, or milliseconds, for which days begin in a zone. */
export interface Calendar {
  readonly isTimed: boolean
  readonly zone: string
}

/** The day that a criterion means; undefined: it is no date. */
export function dayGiven(given: unknown, calendar: Calendar): Span | undefined {
  if (typeof given !== 'string') return undefined
  if (!calendar.isTimed || !WITH_OFFSET.test(given)) return dayNamed(parseDay(given), calendar)
  // It says its own zone, so it may be another day where the caller is.
  const instant = parseWritten(given, calendar.zone)
  return instant && dayNamed(dayIn(calendar.zone, instant), calendar)
}

/** The day or the minute of a literal; undefined: it is no date, or has a time where there is none. */
export function spanWritten(text: string, calendar: Calendar): Span | undefined {
  const written = LITERAL.exec(text)
  if (!written) return undefined
  if (written[1] === undefined) return dayNamed(parseDay(text), calendar)
  return calendar.isTimed ? minuteFrom(parseWritten(text, calendar.zone)) : undefined
}

/** Today or this minute, or so much later or earlier on the calendar; undefined: beyond all years. */
export function spanOfNow(now: Date, period: Period | undefined, calendar: Calendar): Span | undefined {
  const { isTimed, zone } = calendar
  if (!period && isTimed) return minuteFrom(new Date(Math.floor(now.getTime() / MINUTE) * MINUTE))
  const wall = wallClock(zone, now)
  const day = period ? dayAfter(wall.slice(0, 10), period) : wall.slice(0, 10)
  if (!isTimed) return dayNamed(day, calendar)
  return day === undefined ? undefined : minuteFrom(parseWritten(`${day}${wall.slice(10)}`, zone))
}

function dayNamed(day: string | undefined, { isTimed, zone }: Calendar): Span | undefined {
  if (day === undefined) return undefined
  const wall = Date.parse(day)
  if (!isTimed) return { start: wall / DAY, end: wall / DAY + 1 }
  return { start: beginning(wall, zone), end: beginning(wall + DAY, zone) }
}

/** When a day begins in a zone; at the ends of all years, nearly. */
function beginning(wall: number, zone: string): number {
  return (parseInstant(new Date(wall).toISOString().slice(0, 19), zone) ?? new Date(wall)).getTime()
}

function minuteFrom(instant: Date | undefined): Span | undefined {
  return instant && { start: instant.getTime(), end: instant.getTime() + MINUTE }
}

/** A month has an end: what would be after it is its last day. */
function dayAfter(day: string, { count, unit }: Period): string | undefined {
  const date = new Date(day)
  if (unit === 'd' || unit === 'w') return dayAt(date.getTime() + count * DAY * (unit === 'w' ? 7 : 1))
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() + count * (unit === 'y' ? 12 : 1)
  const [year, monthOfYear] = [Math.floor(month / 12), ((month % 12) + 12) % 12]
  if (year < 1 || year > LAST_YEAR) return undefined
  return dayAt(Math.min(utc(year, monthOfYear, date.getUTCDate()), utc(year, monthOfYear + 1, 0)))
}

// `Date.UTC` takes the first hundred years for those of the last century.
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day)
}

function dayAt(time: number): string | undefined {
  const date = new Date(time)
  const year = date.getUTCFullYear()
  return year >= 1 && year <= LAST_YEAR ? date.toISOString().slice(0, 10) : undefined
}
