import { text } from '../messages/text.ts'
import { locale } from '../messages/language.ts'

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })

/** "3 hours ago", with the exact time as tooltip and as `datetime`. */
export function RelativeTime({ at, now = new Date() }: { at: string; now?: Date }) {
  return (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {relativeText(new Date(at), now)}
    </time>
  )
}

export function Day({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {day.format(new Date(at))}
    </time>
  )
}

const calendar = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })

/** A calendar date such as `2026-03-01`, the same in every time zone. */
export function CalendarDay({ day: written }: { day: string }) {
  return <time dateTime={written}>{calendar.format(new Date(`${written}T00:00:00Z`))}</time>
}

export function relativeText(at: Date, now: Date): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000)
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length)
  return unit ? relative.format(Math.round(seconds / unit[1]), unit[0]) : text('just_now')
}
