import { parseLooseDate } from '../../platform/wire/dates.ts'
import type { Binding } from './bind-scope.ts'
import { LITERAL_FORM, spanOfNow, spanWritten } from './date-span.ts'
import type { AsOf } from './tql/syntax.ts'

const DAY_PATTERN = /^\d{4}-\d\d-\d\d$/
const MINUTE_MS = 60_000

/** The moment of the query; undefined means now, as do future moments. */
export function bindAsOf(
  { instant }: AsOf,
  { scope: { now, zone }, problems }: Pick<Binding, 'scope' | 'problems'>,
): Date | undefined {
  const moment = instant.kind === 'now' ? momentOfNow(instant.period, now, zone) : momentWritten(instant.text, zone)
  if (moment) return moment < now ? moment : undefined
  const params = { value: instant.kind === 'now' ? 'NOW()' : instant.text, ...LITERAL_FORM }
  problems.add({ reason: 'value_invalid', cause: 'date', position: instant.position, params, name: 'AS OF' })
  return undefined
}

/** A day stands for its end. */
function momentWritten(text: string, zone: string): Date | undefined {
  if (!DAY_PATTERN.test(text)) return parseLooseDate(text, zone)
  const day = spanWritten(text, { isTimed: true, zone })
  return day && new Date(day.end - 1)
}

/** The current second and fraction, shifted by the given days or months. */
function momentOfNow(period: Parameters<typeof spanOfNow>[1], now: Date, zone: string): Date | undefined {
  const minute = spanOfNow(now, period, { isTimed: true, zone })
  return minute && new Date(minute.start + (now.getTime() % MINUTE_MS))
}
