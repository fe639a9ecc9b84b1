import { platformZone } from '../../platform/operation/context.ts'
import { apiDay, dayIn, parseInstant } from '../../platform/wire/dates.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { FieldId, StoredValues, TrackerId } from '../../trackers/tracker.ts'
import { findArtifacts, type FoundArtifact } from './find-artifact.ts'
import type { Audience } from './reading.ts'
import { computeSums } from './sums.ts'

const DAY = 86_400_000
const MOST_DAYS = 1000 // Of a chart: more than anybody looks at.

/** The time that an artifact takes, in days on which somebody works. */
interface Timeframe {
  readonly start: string
  /** How many working days after the start it ends. */
  readonly duration: number
}

/** One day of a chart, and the moment that tells how it ended. */
export interface ChartDay {
  readonly date: string
  readonly until: Date
}

/** What the semantic says, of fields that the viewer may read; undefined: nothing that makes a time. */
export async function timeframeOf(
  audience: Audience,
  found: FoundArtifact,
  worksOn: (day: string) => boolean,
): Promise<Timeframe | undefined> {
  const { timeframe } = found.sight.tracker.semantics
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

/** The days up to now, the first of them the start. */
export function daysOf(
  audience: Audience,
  { start, duration }: Timeframe,
  worksOn: (day: string) => boolean,
): ChartDay[] {
  const zone = platformZone(audience.context)
  const now = audience.context.clock.now()
  const today = dayIn(zone, now)
  const days: ChartDay[] = []
  for (let day = start; day <= today && days.length <= Math.min(duration, MOST_DAYS); day = dayAfter(day)) {
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
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY).toISOString().slice(0, 10)
}

function daysBetween(start: string, end: string | undefined, worksOn: (day: string) => boolean): number | undefined {
  if (end === undefined) return undefined
  let count = 0
  for (let day = start; day < end && count < MOST_DAYS; day = dayAfter(day)) if (worksOn(dayAfter(day))) count++
  return count
}

/** It takes as long as the artifact of that tracker which links to it. */
async function findImplying(
  { context, db, viewer }: Audience,
  found: FoundArtifact,
  tracker: TrackerId,
): Promise<FoundArtifact | undefined> {
  const link = [...found.reverse, ...found.forward].find((each) => each.tracker.id === tracker)
  const [other] = link ? await findArtifacts(context, db, viewer, [link.id]) : []
  const isFinal = other && !('implied_from' in (other.sight.tracker.semantics.timeframe ?? {}))
  return isFinal ? other : undefined // Two trackers could imply each other.
}

function dayOf({ artifact, sight }: FoundArtifact, field: FieldId, zone: string): string | undefined {
  const stored = readable(sight, artifact.field_values, field)
  if (typeof stored !== 'string') return undefined
  return stored.length > 10 ? dayIn(zone, new Date(stored)) : stored
}

/** A number of days that was typed, or is the sum of others. */
async function amountOf(audience: Audience, found: FoundArtifact, field: FieldId): Promise<number | undefined> {
  const stored = readable(found.sight, found.artifact.field_values, field)
  const amount =
    typeof stored === 'number'
      ? stored
      : found.sight.readable.some(({ id, type }) => id === field && type === 'computed')
        ? (await computeSums(audience, [found])).get(found.artifact.id)?.get(field)
        : undefined
  return amount === undefined || amount === null ? undefined : Math.ceil(amount)
}

export function readable({ tracker, mayRead }: Sight, values: StoredValues, field: FieldId): unknown {
  const element = tracker.byId.get(field)
  return element?.is_used && mayRead(element) ? values[String(field)] : undefined
}
