import { type Context, platformZone } from '../../platform/operation/context.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { DAY_OR_INSTANT_FORM, toLocalDay, parseInstant } from '../../platform/wire/dates.ts'
import { parseMoment } from '../../platform/wire/formats.ts'
import { ApiError } from '../../platform/messages/errors.ts'

export const SERIES_INTERVALS = ['day', 'week', 'month'] as const
type SeriesInterval = (typeof SERIES_INTERVALS)[number]

const MAX_SERIES_STEPS = 400
const DAY_MS = 86_400_000

interface GivenSteps {
  readonly over?: SeriesInterval | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/**
 * The end of each step: the first moment of the next one in the caller's calendar. Future steps are omitted. Undefined
 * if no series is requested.
 */
export function readSteps(context: Context, viewer: Viewer, given: GivenSteps): readonly Date[] | undefined {
  const { over, from, to } = given
  if (over === undefined) {
    if (from !== undefined || to !== undefined)
      throw new ApiError('parameter_required', { path: 'over', rule: 'required' })
    return undefined
  }
  if (from === undefined) throw new ApiError('parameter_required', { path: 'from', rule: 'required' })
  const zone = viewer.time_zone ?? platformZone(context)
  const now = context.clock.now()
  const [first, last = now] = [from, to].map((text) => (text === undefined ? undefined : parseMoment(text, zone)))
  if (!first)
    throw new ApiError('parameter_invalid', {
      path: 'from',
      rule: 'format',
      cause: 'date_form',
      params: DAY_OR_INSTANT_FORM,
    })
  if (first > last && to !== undefined) throw new ApiError('parameter_conflict', { path: 'to', cause: 'from_after_to' })
  return endsOf(over, toLocalDay(zone, first), toLocalDay(zone, last < now ? last : now), zone)
}

function endsOf(over: SeriesInterval, first: string, last: string, zone: string): Date[] {
  const ends: Date[] = []
  for (let day = beginningOf(over, first); day <= last; ) {
    if (ends.length === MAX_SERIES_STEPS)
      throw new ApiError('parameter_out_of_range', {
        path: 'from',
        rule: 'maximum',
        cause: 'too_many_steps',
        allowed: { maximum: MAX_SERIES_STEPS },
      })
    day = nextAfter(over, day)
    const end = parseInstant(`${day}T00:00:00`, zone)
    if (!end) break // After year 9999.
    ends.push(end)
  }
  return ends
}

/** The first day of the step that contains the day; weeks begin on Mondays. */
function beginningOf(over: SeriesInterval, day: string): string {
  if (over === 'day') return day
  if (over === 'month') return `${day.slice(0, 8)}01`
  const weekday = (new Date(day).getUTCDay() + 6) % 7
  return dayAt(Date.parse(day) - weekday * DAY_MS)
}

function nextAfter(over: SeriesInterval, day: string): string {
  if (over !== 'month') return dayAt(Date.parse(day) + (over === 'week' ? 7 : 1) * DAY_MS)
  return `${dayAt(Date.parse(day) + 31 * DAY_MS).slice(0, 8)}01`
}

function dayAt(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
