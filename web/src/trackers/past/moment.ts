const DAY = /^\d{4}-\d\d-\d\d$/
/** Years with four digits, as the API reads them. */
const LAST_MS = Date.UTC(9999, 11, 31)

/** A moment of the address in whole seconds, such as `2026-11-03T17:00:00Z`; a day stands for its end on the device. */
export function parseAddressMoment(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined
  const time = Date.parse(DAY.test(given) ? `${given}T23:59:59` : given)
  return time >= 0 && time < LAST_MS ? toAddressMoment(time) : undefined
}

/** The moment of a time in milliseconds. */
export function toAddressMoment(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`
}

/** As a native input of a date and time takes it. */
export function toLocalInput(moment: string): string {
  const instant = new Date(moment)
  return new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
