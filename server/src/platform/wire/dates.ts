const DAY_MS = 86_400_000
const MIN_TIME_MS = Date.parse('0001-01-01T00:00:00Z')
const MAX_TIME_MS = Date.parse('9999-12-31T23:59:59.999Z')
const DATE_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)?$/

// Also accepts missing seconds, a blank instead of `T`, and an offset without colon.
const LOOSE_DATE_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/

/** The forms that errors about dates name. */
export const DAY_FORM = { format: 'YYYY-MM-DD', example: '2026-03-01' }
export const INSTANT_FORM = { format: 'YYYY-MM-DDThh:mm:ss+hh:mm', example: '2026-03-01T09:30:00+00:00' }
export const DAY_OR_INSTANT_FORM = { ...INSTANT_FORM, format: `${DAY_FORM.format} / ${INSTANT_FORM.format}` }

/** Dates in responses: an offset with colon, no `Z`, no fraction. */
export function apiDate(date: Date): string {
  return `${date.toISOString().slice(0, 19)}+00:00`
}

export function httpDate(date: Date): string {
  return date.toUTCString()
}

/** Parses the date of a header: exactly as `httpDate` writes it, or as a date-time, in UTC if it has no zone. */
export function parseHttpDate(text: string): Date | undefined {
  const date = new Date(text)
  if (!Number.isNaN(date.getTime()) && httpDate(date) === text) return date
  return parseInstant(text, 'UTC')
}

/** Parses a date-time; without a zone it is in `zone`. Undefined: not a date, or outside the supported years. */
export function parseInstant(text: string, zone: string): Date | undefined {
  const [, written = '', fraction = '', offset] = DATE_TIME.exec(text) ?? []
  const wall = Date.parse(`${written}Z`)
  // `Date.parse` accepts 30 February as 2 March, and 24:00 as the next day.
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 19) !== written || wall < MIN_TIME_MS)
    return undefined
  const shift = offset === undefined ? offsetOfWall(wall, zone) : parseOffset(offset)
  if (shift === undefined) return undefined
  const instant = wall - shift + Number(fraction.slice(1, 4).padEnd(3, '0'))
  return instant < MIN_TIME_MS || instant > MAX_TIME_MS ? undefined : new Date(instant)
}

/** Parses a day, or a date-time in loose notation; a bare day means its start. */
export function parseLooseDate(text: string, zone: string): Date | undefined {
  const written = LOOSE_DATE_TIME.exec(text)
  return written ? parseInstant(`${written[1]}T${timeIn(written)}${offsetIn(written)}`, zone) : undefined
}

/** The calendar day as written, also of a date-time: offsets do not move it. */
export function parseDay(text: string): string | undefined {
  const written = LOOSE_DATE_TIME.exec(text)
  const isDay = written && parseInstant(`${written[1]}T${timeIn(written)}`, 'UTC') !== undefined
  return isDay && parseOffset(offsetIn(written) || 'Z') !== undefined ? written[1] : undefined
}

/** A day in responses: its start in the zone. */
export function apiDay(day: string, zone: string): string {
  const minutes = Math.trunc(offsetOfWall(Date.parse(`${day}T00:00:00Z`), zone) / 60_000)
  const pad = (part: number) => String(Math.trunc(part)).padStart(2, '0')
  return `${day}T00:00:00${minutes < 0 ? '-' : '+'}${pad(Math.abs(minutes) / 60)}:${pad(Math.abs(minutes) % 60)}`
}

/** Local date and time in a zone, as `2026-03-01 14:30`. */
export function wallClock(zone: string, date: Date): string {
  const wall = date.getTime() + offsetAt(date.getTime(), zone)
  return new Date(Math.min(Math.max(wall, MIN_TIME_MS), MAX_TIME_MS)).toISOString().slice(0, 16).replace('T', ' ')
}

/** Whether a date-time has a zone. */
export function hasZone(text: string): boolean {
  return DATE_TIME.exec(text)?.[3] !== undefined
}

/** The local calendar day in a zone, as `2026-03-01`. */
export function toLocalDay(zone: string, date: Date): string {
  return wallClock(zone, date).slice(0, 10)
}

/** Whether this is an IANA time zone; a bare offset is not. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return getDateFormat(name) !== undefined
  } catch {
    return false
  }
}

function timeIn([, , minutes = '00:00', seconds = ':00']: RegExpExecArray): string {
  return minutes + seconds
}

function offsetIn([, , , , offset = '']: RegExpExecArray): string {
  return offset.replace(/^(.\d\d):?(\d\d)?$/, (_, hours: string, minutes = '00') => `${hours}:${minutes}`)
}

function parseOffset(text: string): number | undefined {
  if (text === 'Z') return 0
  const hours = Number(text.slice(1, 3))
  const minutes = Number(text.slice(4))
  if (hours > 23 || minutes > 59) return undefined
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

/** An ambiguous local time is the first of the two; a skipped one is read with the offset before the change. */
function offsetOfWall(wall: number, zone: string): number {
  const before = offsetAt(Math.max(wall - DAY_MS, MIN_TIME_MS + DAY_MS), zone) // Avoids years before 1, which count backwards.
  if (offsetAt(wall - before, zone) === before) return before
  const after = offsetAt(wall + DAY_MS, zone)
  return offsetAt(wall - after, zone) === after ? after : before
}

function offsetAt(instant: number, zone: string): number {
  if (zone === 'UTC') return 0
  const parts = new Map(
    getDateFormat(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  )
  const pad = (type: Intl.DateTimeFormatPartTypes, length: number) => (parts.get(type) ?? '').padStart(length, '0')
  const day = `${pad('year', 4)}-${pad('month', 2)}-${pad('day', 2)}`
  const wall = Date.parse(
    `${day.length > 10 ? '+0' : ''}${day}T${pad('hour', 2)}:${pad('minute', 2)}:${pad('second', 2)}Z`,
  )
  return wall - Math.floor(instant / 1000) * 1000
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** Cached, because construction is expensive. The list of zones is finite, so the cache is bounded. */
function getDateFormat(zone: string): Intl.DateTimeFormat {
  const key = zone.toLowerCase()
  const known = clocks.get(key)
  if (known) return known
  const clock = new Intl.DateTimeFormat('en-u-ca-gregory', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  clocks.set(key, clock)
  return clock
}
