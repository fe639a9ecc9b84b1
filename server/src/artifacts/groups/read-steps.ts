import { type Context, platformZone } from '../../platform/operation/context.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { dayIn, parseInstant } from '../../platform/wire/dates.ts'
import { momentIn } from '../../platform/wire/formats.ts'
import { ApiError } from '../../platform/words/errors.ts'

export const STEPS = ['day', 'week', 'month'] as const
type Step = (typeof STEPS)[number]

const MOST = 400
const DAY = 86_400_000

interface GivenSteps {
  readonly over?: Step | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/**
 * When each step ends: the first moment of the next one, on the calendar of the caller. What has not begun is left out.
 * Undefined: no past is asked for.
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
  const [first, last = now] = [from, to].map((text) => (text === undefined ? undefined : momentIn(text, zone)))
  if (!first) throw new ApiError('parameter_invalid', { path: 'from', rule: 'format' })
  if (first > last && to !== undefined) throw new ApiError('parameter_conflict', { path: 'to', cause: 'from_after_to' })
  return endsOf(over, dayIn(zone, first), dayIn(zone, last < now ? last : now), zone)
}

function endsOf(over: Step, first: string, last: string, zone: string): Date[] {
  const ends: Date[] = []
  for (let day = beginningOf(over, first); day <= last; ) {
    if (ends.length === MOST)
      throw new ApiError('parameter_out_of_range', {
        path: 'from',
        rule: 'maximum',
        cause: 'too_many_steps',
        allowed: { maximum: MOST },
      })
    day = nextAfter(over, day)
    const end = parseInstant(`${day}T00:00:00`, zone)
    if (!end) break // The end of all years.
    ends.push(end)
  }
  return ends
}

/** The first day of the step that the day is in; weeks begin on Mondays. */
function beginningOf(over: Step, day: string): string {
  if (over === 'day') return day
  if (over === 'month') return `${day.slice(0, 8)}01`
  const weekday = (new Date(day).getUTCDay() + 6) % 7
  return dayAt(Date.parse(day) - weekday * DAY)
}

function nextAfter(over: Step, day: string): string {
  if (over !== 'month') return dayAt(Date.parse(day) + (over === 'week' ? 7 : 1) * DAY)
  return `${dayAt(Date.parse(day) + 31 * DAY).slice(0, 8)}01`
}

function dayAt(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
