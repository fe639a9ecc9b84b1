import { dayIn, parseInstant } from '../../../platform/wire/dates.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** The next full hour. */
export function nextHour(now: Date): Date {
  return new Date((Math.floor(now.getTime() / HOUR) + 1) * HOUR)
}

/** When it is this hour next by the clocks of a zone. */
export function nextTimeOfDay(now: Date, zone: string, hour: number): Date {
  const today = Date.parse(`${dayIn(zone, now)}T00:00:00Z`)
  const times = [0, 1, 2].flatMap((days) => {
    const day = new Date(today + days * DAY).toISOString().slice(0, 10)
    return parseInstant(`${day}T${String(hour).padStart(2, '0')}:00:00`, zone) ?? []
  })
  return times.find((time) => time > now) ?? new Date(now.getTime() + DAY)
}
