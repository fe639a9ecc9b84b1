import { locale } from '../messages/language.ts'
import { text } from './messages.ts'

interface DayOption {
  /** As the API takes it: `2026-11-20`. */
  readonly id: string
  readonly label: string
}

const FRIDAY = 5

/** Days near to today, or the day that was typed: `20`, `20.11.`, `20/11/2026`, `2026-11-20`, or a part of a name. */
export function dayOptions(typed: string, now = new Date()): readonly DayOption[] {
  const exact = parseDay(typed, now)
  if (exact) return [named(exact, undefined)]
  const untilFriday = (FRIDAY - now.getDay() + 7) % 7 || 7
  const days = [
    named(after(now, 0), text('pick.today')),
    named(after(now, 1), text('pick.tomorrow')),
    named(after(now, untilFriday), undefined),
    named(after(now, 7), text('pick.in_a_week')),
    named(after(now, 14), text('pick.in_two_weeks')),
  ]
  const words = typed.trim().toLowerCase()
  return days
    .filter(({ id }, index) => days.findIndex((day) => day.id === id) === index)
    .filter(({ label }) => label.toLowerCase().includes(words))
}

function named(day: Date, name: string | undefined): DayOption {
  const date = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'short' }).format(day)
  return { id: toDay(day), label: name === undefined ? date : `${name}, ${date}` }
}

function after(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days)
}

function toDay(day: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}

/** A day without a month or a year is the next one. */
function parseDay(typed: string, now: Date): Date | undefined {
  const parts = typed
    .trim()
    .split(/[./-]/)
    .filter((part) => part !== '')
    .map(Number)
  if (parts.length === 0 || parts.length > 3 || parts.some((part) => !Number.isSafeInteger(part))) return undefined
  const isIso = parts[0] !== undefined && parts[0] > 31
  const [year, month, day] = isIso ? parts : [parts[2], parts[1], parts[0]]
  if (day === undefined || (isIso && parts.length < 3)) return undefined
  const found = new Date(year ?? now.getFullYear(), (month ?? now.getMonth() + 1) - 1, day)
  if (found.getDate() !== day || (month !== undefined && found.getMonth() !== month - 1)) return undefined
  if (year === undefined && found < after(now, 0))
    return month === undefined
      ? new Date(now.getFullYear(), now.getMonth() + 1, day)
      : new Date(now.getFullYear() + 1, month - 1, day)
  return found
}
