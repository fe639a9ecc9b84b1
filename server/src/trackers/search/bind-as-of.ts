import { parseWritten } from '../../platform/wire/dates.ts'
import type { Binding } from './bind-scope.ts'
import { spanOfNow, spanWritten } from './span.ts'
import type { AsOf } from './tql/syntax.ts'

const DAY = /^\d{4}-\d\d-\d\d$/
const MINUTE = 60_000

/** The moment whose values are meant; undefined: now, which any moment to come means too. */
export function bindAsOf(
  { instant }: AsOf,
  { scope: { now, zone }, problems }: Pick<Binding, 'scope' | 'problems'>,
): Date | undefined {
  const moment = instant.kind === 'now' ? momentOfNow(instant.period, now, zone) : momentWritten(instant.text, zone)
  if (moment) return moment < now ? moment : undefined
  const value = instant.kind === 'now' ? 'NOW()' : instant.text
  problems.add({ reason: 'value_invalid', cause: 'date', position: instant.position, params: { value }, name: 'AS OF' })
  return undefined
}

/** Of a day, its end. */
function momentWritten(text: string, zone: string): Date | undefined {
  if (!DAY.test(text)) return parseWritten(text, zone)
  const day = spanWritten(text, { isTimed: true, zone })
  return day && new Date(day.end - 1)
}

/** The same second and fraction, so many days or months away. */
function momentOfNow(period: Parameters<typeof spanOfNow>[1], now: Date, zone: string): Date | undefined {
  const minute = spanOfNow(now, period, { isTimed: true, zone })
  return minute && new Date(minute.start + (now.getTime() % MINUTE))
}
