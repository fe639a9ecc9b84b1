const DAY = 86_400_000
const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')
const DATE_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)?$/

// Also without seconds, with a blank for the `T`, and with an offset without colon.
const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/

/** Dates in answers: an offset with colon, no `Z`, no fraction. */
export function apiDate(date: Date): string {
  return `${date.toISOString().slice(0, 19)}+00:00`
}

export function httpDate(date: Date): string {
  return date.toUTCString()
}

/** Reads the date of a header: as `httpDate` writes it, to the letter, or as a date-time, which without a zone is UTC. */
export function parseHttpDate(text: string): Date | undefined {
  const date = new Date(text)
  if (!Number.isNaN(date.getTime()) && httpDate(date) === text) return date
  return parseInstant(text, 'UTC')
}

/** Reads a date-time; one that says no zone is meant in `zone`. What is no date, or outside our years, is undefined. */
export function parseInstant(text: string, zone: string): Date | undefined {
  const [, written = '', fraction = '', offset] = DATE_TIME.exec(text) ?? []
  const wall = Date.parse(`${written}Z`)
  // The engine reads 30 February as 2 March, and 24:00 as the next day.
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 19) !== written || wall < FIRST) return undefined
  const shift = offset === undefined ? offsetOfWall(wall, zone) : parseOffset(offset)
  if (shift === undefined) return undefined
  const instant = wall - shift + Number(fraction.slice(1, 4).padEnd(3, '0'))
  return instant < FIRST || instant > LAST ? undefined : new Date(instant)
}

/** Reads a day, or a date-time as loosely as people write one; a bare day means its beginning. */
export function parseWritten(text: string, zone: string): Date | undefined {
  const written = WRITTEN.exec(text)
  return written ? parseInstant(`${written[1]}T${timeIn(written)}${offsetIn(written)}`, zone) : undefined
}

/** The day that is written there, of a date-time too: no offset ever moves it. */
export function parseDay(text: string): string | undefined {
  const written = WRITTEN.exec(text)
  const isDay = written && parseInstant(`${written[1]}T${timeIn(written)}`, 'UTC') !== undefined
  return isDay && parseOffset(offsetIn(written) || 'Z') !== undefined ? written[1] : undefined
}

/** A day in answers: where it begins in the zone. */
export function apiDay(day: string, zone: string): string {
  const minutes = Math.trunc(offsetOfWall(Date.parse(`${day}T00:00:00Z`), zone) / 60_000)
  const pad = (part: number) => String(Math.trunc(part)).padStart(2, '0')
  return `${day}T00:00:00${minutes < 0 ? '-' : '+'}${pad(Math.abs(minutes) / 60)}:${pad(Math.abs(minutes) % 60)}`
}

/** What calendar and clock of a zone show, as `2026-03-01 14:30`. */
export function wallClock(zone: string, date: Date): string {
  const wall = date.getTime() + offsetAt(date.getTime(), zone)
  return new Date(Math.min(Math.max(wall, FIRST), LAST)).toISOString().slice(0, 16).replace('T', ' ')
}

/** Whether a date-time says its own zone. */
export function hasZone(text: string): boolean {
  return DATE_TIME.exec(text)?.[3] !== undefined
}

/** The calendar day that it is in a zone, as `2026-03-01`. */
export function dayIn(zone: string, date: Date): string {
  return wallClock(zone, date).slice(0, 10)
}

/** Whether this is a zone of the IANA list; a bare offset is none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return clockOf(name) !== undefined
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

/**
 * A time that the zone has twice is the first of the two, and one that it skips is read as if the clock had not been
 * changed: both mean the offset before the change, unless the time is after it.
 */
function offsetOfWall(wall: number, zone: string): number {
  const before = offsetAt(Math.max(wall - DAY, FIRST + DAY), zone) // Never in the years before 1, which count backwards.
  if (offsetAt(wall - before, zone) === before) return before
  const after = offsetAt(wall + DAY, zone)
  return offsetAt(wall - after, zone) === after ? after : before
}

function offsetAt(instant: number, zone: string): number {
  if (zone === 'UTC') return 0
  const parts = new Map(
    clockOf(zone)
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

/** Making one takes longer than all the rest. The list of zones is short, and case is the same, so this cannot grow. */
function clockOf(zone: string): Intl.DateTimeFormat {
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
