import { platformZone } from '../../platform/operation/context.ts'
import { apiDay, toLocalDay, parseInstant } from '../../platform/wire/dates.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { FieldId, StoredValues, TrackerId } from '../../trackers/tracker.ts'
import { findArtifacts, type FoundArtifact } from './find-artifact.ts'
import type { Audience } from './audience.ts'
import { computeSums } from './sums.ts'

const DAY_MS = 86_400_000
const MAX_CHART_DAYS = 1000 // The maximum length of a chart.

/** The timeframe of an artifact, in working days. */
interface Timeframe {
  readonly start: string
  /** Working days from start to end. */
  readonly duration: number
}

/** One day of a chart, and the moment at which its state is taken. */
export interface ChartDay {
  readonly date: string
  readonly until: Date
}

/** The timeframe from readable fields of the semantic; undefined if incomplete. */
export async function timeframeOf(
  audience: Audience,
  found: FoundArtifact,
  worksOn: (day: string) => boolean,
): Promise<Timeframe | undefined> {
  const { timeframe } = found.access.tracker.semantics
  if (!timeframe) return undefined
  if ('implied_from' in timeframe) {
    const other = await findImplying(audience, found, timeframe.implied_from)
    return other && timeframeOf(audience, other, worksOn)
  }
  const zone = platformZone(audience.context)
  const start = dayOf(found, timeframe.start, zone)
  if (start === undefined) return undefined
  const duration =
    'duration' in timeframe
      ? await amountOf(audience, found, timeframe.duration)
      : daysBetween(start, dayOf(found, timeframe.end, zone), worksOn)
  return duration === undefined || duration <= 0 ? undefined : { start, duration }
}

/** The days up to now, beginning with the start. */
export function daysOf(
  audience: Audience,
  { start, duration }: Timeframe,
  worksOn: (day: string) => boolean,
): ChartDay[] {
  const zone = platformZone(audience.context)
  const now = audience.context.clock.now()
  const today = toLocalDay(zone, now)
  const days: ChartDay[] = []
  for (let day = start; day <= today && days.length <= Math.min(duration, MAX_CHART_DAYS); day = dayAfter(day)) {
    if (!worksOn(day)) continue
    const end = parseInstant(`${dayAfter(day)}T00:00:00`, zone) ?? now
    days.push({ date: apiDay(day, zone), until: end < now ? end : now })
  }
  return days
}

/** Monday is 1. */
export function weekday(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)
}

function daysBetween(start: string, end: string | undefined, worksOn: (day: string) => boolean): number | undefined {
  if (end === undefined) return undefined
  let count = 0
  for (let day = start; day < end && count < MAX_CHART_DAYS; day = dayAfter(day)) if (worksOn(dayAfter(day))) count++
  return count
}

/** The timeframe is inherited from the artifact of that tracker which links to this one. */
async function findImplying(
  { context, db, viewer }: Audience,
  found: FoundArtifact,
  tracker: TrackerId,
): Promise<FoundArtifact | undefined> {
  const link = [...found.reverse, ...found.forward].find((each) => each.tracker.id === tracker)
  const [other] = link ? await findArtifacts(context, db, viewer, [link.id]) : []
  const isFinal = other && !('implied_from' in (other.access.tracker.semantics.timeframe ?? {}))
  return isFinal ? other : undefined // Prevents recursion: two trackers could imply each other.
}

function dayOf({ artifact, access }: FoundArtifact, field: FieldId, zone: string): string | undefined {
  const stored = readableStoredValue(access, artifact.field_values, field)
  if (typeof stored !== 'string') return undefined
  return stored.length > 10 ? toLocalDay(zone, new Date(stored)) : stored
}

/** A number of days, manual or computed. */
async function amountOf(audience: Audience, found: FoundArtifact, field: FieldId): Promise<number | undefined> {
  const stored = readableStoredValue(found.access, found.artifact.field_values, field)
  const amount =
    typeof stored === 'number'
      ? stored
      : found.access.readable.some((element) => element.id === field && fieldTypeOf(element).sums)
        ? (await computeSums(audience, [found])).get(found.artifact.id)?.get(field)
        : undefined
  return amount === undefined || amount === null ? undefined : Math.ceil(amount)
}

export function readableStoredValue(
  { tracker, mayRead }: TrackerAccess,
  values: StoredValues,
  field: FieldId,
): unknown {
  const element = tracker.byId.get(field)
  return element?.is_used && mayRead(element) ? values[String(field)] : undefined
}
