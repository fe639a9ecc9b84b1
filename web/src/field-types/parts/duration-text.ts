const HOURS_AND_MINUTES = /^(?:(\d{1,9})\s*h)?\s*(?:(\d{1,9})\s*m)?$/i
const MINUTES = /^\d{1,9}$/

/** The minutes of `2h 30m`, as the server reads them; undefined if the text has another form. */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim()
  if (MINUTES.test(trimmed)) return Number(trimmed)
  const [, hours, minutes] = HOURS_AND_MINUTES.exec(trimmed) ?? []
  if (hours === undefined && minutes === undefined) return undefined
  return Number(hours ?? 0) * 60 + Number(minutes ?? 0)
}

/** `2h 30m`, without the part that is zero. */
export function formatDuration(total: number): string {
  const [hours, minutes] = [Math.floor(total / 60), Math.round(total % 60)]
  if (hours === 0) return `${minutes}m`
  return minutes === 0 ? `${hours}h` : `${hours}h ${minutes}m`
}
