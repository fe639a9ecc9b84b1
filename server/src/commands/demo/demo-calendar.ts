const DAY_MS = 24 * 60 * 60 * 1000
const MINUTE_MS = 60_000
const FIRST_MINUTE = 7 * 60 + 30
const LAST_MINUTE = 16 * 60 + 30
/** Events of today lie within the last hours, at whatever time the demo begins. */
const TODAY_MS = 4 * 60 * MINUTE_MS

/** Midnight of a working day; 0 is today, positive numbers are earlier days, negative ones later days. */
export function workday(now: Date, daysAgo: number): Date {
  const midnight = new Date(now)
  midnight.setUTCHours(0, 0, 0, 0)
  const step = daysAgo < 0 ? DAY_MS : -DAY_MS
  let day = midnight.getTime()
  for (let left = Math.abs(daysAgo); left > 0; left--)
    do day += step
    while (isWeekend(day))
  return new Date(day)
}

function isWeekend(time: number): boolean {
  return [0, 6].includes(new Date(time).getUTCDay())
}

/** A day as a date field takes it: `inDays(now, 3)` is the third working day from today. */
export function inDays(now: Date, days: number): string {
  return workday(now, -days).toISOString().slice(0, 10)
}

/** The time of event `index` of `count` on a working day. */
export function momentOf(now: Date, daysAgo: number, index: number, count: number): Date {
  const share = (index + 0.5) / count
  if (daysAgo === 0) return new Date(now.getTime() - TODAY_MS * (1 - share))
  const minute = Math.round(FIRST_MINUTE + (LAST_MINUTE - FIRST_MINUTE) * share)
  return new Date(workday(now, daysAgo).getTime() + minute * MINUTE_MS)
}
