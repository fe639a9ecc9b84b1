import { platformZone } from '../../platform/operation/context.ts'
import { apiDay } from '../../platform/wire/dates.ts'
import { isOn } from '../../trackers/fields/properties.ts'
import type { Element, FieldId } from '../../trackers/tracker.ts'
import { burndownPoints } from './burndown-points.ts'
import { burnupPoints } from './burnup-points.ts'
import type { FoundArtifact } from './find-artifact.ts'
import type { Audience } from './reading.ts'
import { daysOf, readable, timeframeOf, weekday } from './timeframe.ts'

const NONE: ReadonlyMap<FieldId, object> = new Map()
const WORKDAYS: readonly number[] = [1, 2, 3, 4, 5]
const EVERY_DAY: readonly number[] = [...WORKDAYS, 6, 7]

/** The charts that this viewer may read, by field; an artifact that says no time has none. */
export async function computeCharts(audience: Audience, found: FoundArtifact): Promise<ReadonlyMap<FieldId, object>> {
  const fields = found.sight.readable.filter(({ type }) => type === 'burndown' || type === 'burnup')
  if (fields.length === 0) return NONE
  const charts = new Map<FieldId, object>()
  for (const field of fields) {
    const chart = await chartOf(audience, found, field)
    if (chart) charts.set(field.id, chart)
  }
  return charts
}

async function chartOf(audience: Audience, found: FoundArtifact, field: Element): Promise<object | undefined> {
  const opening_days = isOn(field.properties['include_weekends']) ? EVERY_DAY : WORKDAYS
  const worksOn = (day: string) => opening_days.includes(weekday(day))
  const timeframe = await timeframeOf(audience, found, worksOn)
  if (!timeframe) return undefined
  const days = daysOf(audience, timeframe, worksOn)
  const common = {
    start_date: apiDay(timeframe.start, platformZone(audience.context)),
    duration: timeframe.duration,
    capacity: isOn(field.properties['use_capacity']) ? capacityOf(found) : null,
  }
  const state = { is_under_calculation: false, opening_days }
  if (field.type === 'burnup') return { ...common, ...state, ...(await burnupPoints(audience, found, days)) }
  const points_with_date = await burndownPoints(audience, found, days)
  return {
    ...common,
    points: points_with_date.map(({ remaining_effort }) => remaining_effort),
    ...state,
    points_with_date,
  }
}

/** How much could be done in that time, where a field of that name says so. */
function capacityOf({ sight, artifact }: FoundArtifact): number | null {
  const field = sight.tracker.byName.get('capacity')
  const stored = field && readable(sight, artifact.field_values, field.id)
  return typeof stored === 'number' ? stored : null
}
