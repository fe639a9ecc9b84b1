import { locale } from '../messages/language.ts'

const HOURS_UNTIL_LATER = 3
/** Later ones would not be today. */
const LAST_HOUR_OF_DAY = 21
const FIRST_HOUR_OF_WORK = 8
const DAYS_OF_WEEK = 7

export interface SnoozeTime {
  readonly name: 'later' | 'tomorrow' | 'next_week'
  readonly until: Date
}

/** When a snoozed entry can come back: in about three hours, tomorrow morning, on Monday morning. */
export function snoozeTimes(now = new Date()): readonly SnoozeTime[] {
  const at = (days: number, hour: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour)
  const laterHour = now.getHours() + HOURS_UNTIL_LATER
  const daysUntilMonday = (DAYS_OF_WEEK + 1 - now.getDay()) % DAYS_OF_WEEK || DAYS_OF_WEEK
  const tomorrow = { name: 'tomorrow', until: at(1, FIRST_HOUR_OF_WORK) } as const
  const nextWeek = { name: 'next_week', until: at(daysUntilMonday, FIRST_HOUR_OF_WORK) } as const
  return [
    ...(laterHour <= LAST_HOUR_OF_DAY ? [{ name: 'later', until: at(0, laterHour) } as const] : []),
    tomorrow,
    ...(daysUntilMonday > 1 ? [nextWeek] : []),
  ]
}

/** `17:00` today, `Thu 08:00` within a week, else with the date. */
export function snoozeTimeText(until: Date, now = new Date()): string {
  const days = (until.getTime() - now.getTime()) / 86_400_000
  const isToday = until.toDateString() === now.toDateString()
  return new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    ...(!isToday && { weekday: 'short' }),
    ...(days > DAYS_OF_WEEK - 1 && { day: 'numeric', month: 'short' }),
  }).format(until)
}
