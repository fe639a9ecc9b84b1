const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000

const clocks = new Map<string, Intl.DateTimeFormat>()

/** The wall clock of the zone, as milliseconds of a UTC clock that shows the same. */
export function wallOf(zone: string, at: number): number {
  let clock = clocks.get(zone)
  if (!clock) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
    clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', second: '2-digit', ...parts })
    clocks.set(zone, clock)
  }
  const shown = new Map(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const part = (name: Intl.DateTimeFormatPartTypes) => shown.get(name) ?? 0
  const whole = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return whole + (((at % 1000) + 1000) % 1000)
}

/** The instant of a wall clock time; the world avoids hours that occur twice or never. */
export function instantOf(zone: string, wall: number): number {
  const guess = wall - (wallOf(zone, wall) - wall)
  return guess - (wallOf(zone, guess) - wall)
}

/** `2026-03-01`. */
export function dayOf(zone: string, at: number): string {
  return new Date(wallOf(zone, at)).toISOString().slice(0, 10)
}

/** `2026-03-01 14:30`. */
export function minuteOf(zone: string, at: number): string {
  return new Date(wallOf(zone, at)).toISOString().slice(0, 16).replace('T', ' ')
}

/** From the first millisecond to the first one after it. */
export type ZoneSpan = readonly [from: number, before: number]

/** The span of the written day or minute. */
export function spanOf(zone: string, written: string): ZoneSpan {
  const isDay = written.length === 10
  const wall = Date.parse(`${written.replace(' ', 'T')}${isDay ? 'T00:00' : ''}Z`)
  return [instantOf(zone, wall), instantOf(zone, wall + (isDay ? DAY_MS : MINUTE_MS))]
}

export type PeriodUnit = 'd' | 'w' | 'm' | 'y'

/** The same wall clock time on another day in that zone. */
export function shifted(zone: string, at: number, count: number, unit: PeriodUnit): number {
  const wall = new Date(wallOf(zone, at))
  if (unit === 'd') wall.setUTCDate(wall.getUTCDate() + count)
  if (unit === 'w') wall.setUTCDate(wall.getUTCDate() + 7 * count)
  if (unit === 'm') wall.setUTCMonth(wall.getUTCMonth() + count)
  if (unit === 'y') wall.setUTCFullYear(wall.getUTCFullYear() + count)
  return instantOf(zone, wall.getTime())
}
