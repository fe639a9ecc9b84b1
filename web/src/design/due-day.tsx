import { locale } from '../messages/language.ts'
import { text } from '../messages/text.ts'
import styles from './due-day.module.css'
import { Hidden } from './page.tsx'

const DAY_MS = 86_400_000
const DAYS_WITH_NAMES = 6

const full = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' })
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
const dayAndMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const withYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

interface Props {
  readonly day: string
  /** The due date of something closed, which is never late. */
  readonly isClosed?: boolean
  readonly today?: string
}

/** A due date as people say it: today, Thursday, 24 Nov. A late one is red, and says so. */
export function DueDay({ day, isClosed = false, today = localDay(new Date()) }: Props) {
  const isLate = !isClosed && day < today
  const exact = full.format(atNoon(day))
  return (
    <time
      className={styles['due']}
      data-late={isLate}
      dateTime={day}
      title={isLate ? text('due.late', { day: exact }) : exact}
    >
      {dueText(day, today)}
      {isLate && <Hidden>, {text('due.overdue')}</Hidden>}
    </time>
  )
}

export function dueText(day: string, today: string): string {
  const days = daysBetween(today, day)
  if (days === 0) return text('due.today')
  if (days === 1) return text('due.tomorrow')
  if (days === -1) return text('due.yesterday')
  if (days > 0 && days <= DAYS_WITH_NAMES) return weekday.format(atNoon(day))
  return (day.slice(0, 4) === today.slice(0, 4) ? dayAndMonth : withYear).format(atNoon(day))
}

/** The calendar day of an instant in the time zone of the browser, as `2026-11-17`. */
export function localDay(instant: Date): string {
  return dayOf(new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000))
}

export function addDays(day: string, days: number): string {
  return dayOf(new Date(atNoon(day).getTime() + days * DAY_MS))
}

/** The Sunday of the week of a day. */
export function endOfWeek(day: string): string {
  return addDays(day, (7 - atNoon(day).getUTCDay()) % 7)
}

function daysBetween(from: string, to: string): number {
  return Math.round((atNoon(to).getTime() - atNoon(from).getTime()) / DAY_MS)
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}

function atNoon(day: string): Date {
  return new Date(`${day}T12:00:00Z`)
}
