import { toLocalDay, parseInstant } from '../../../platform/wire/dates.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export function nextHour(now: Date): Date {
  return new Date((Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS)
}

/** The next time at which local clocks of the zone show this hour. */
export function nextTimeOfDay(now: Date, zone: string, hour: number): Date {
  const today = Date.parse(`${toLocalDay(zone, now)}T00:00:00Z`)
  const times = [0, 1, 2].flatMap((days) => {
    const day = new Date(today + days * DAY_MS).toISOString().slice(0, 10)
    return parseInstant(`${day}T${String(hour).padStart(2, '0')}:00:00`, zone) ?? []
  })
  return times.find((time) => time > now) ?? new Date(now.getTime() + DAY_MS)
}
