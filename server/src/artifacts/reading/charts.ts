import { platformZone } from '../../platform/operation/context.ts'
import { apiDay } from '../../platform/wire/dates.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import { isOn } from '../../trackers/field-types/properties.ts'
import type { Element, FieldId } from '../../trackers/tracker.ts'
import { burndownPoints } from './burndown-points.ts'
import { burnupPoints } from './burnup-points.ts'
import type { FoundArtifact } from './find-artifact.ts'
import type { Audience } from './audience.ts'
import { daysOf, readableStoredValue, timeframeOf, weekday } from './timeframe.ts'

const NONE: ReadonlyMap<FieldId, object> = new Map()
const WORKDAYS: readonly number[] = [1, 2, 3, 4, 5]
const EVERY_DAY: readonly number[] = [...WORKDAYS, 6, 7]

/** The charts that this viewer may read, by field; none without a timeframe. */
export async function computeCharts(audience: Audience, found: FoundArtifact): Promise<ReadonlyMap<FieldId, object>> {
  const fields = found.access.readable.filter((element) => fieldTypeOf(element).chart)
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
  if (fieldTypeOf(field).chart === 'completed')
    return { ...common, ...state, ...(await burnupPoints(audience, found, days)) }
  const points_with_date = await burndownPoints(audience, found, days)
  return {
    ...common,
    points: points_with_date.map(({ remaining_effort }) => remaining_effort),
    ...state,
    points_with_date,
  }
}

/** The capacity, from a readable field named `capacity`. */
function capacityOf({ access, artifact }: FoundArtifact): number | null {
  const field = access.tracker.byName.get('capacity')
  const stored = field && readableStoredValue(access, artifact.field_values, field.id)
  return typeof stored === 'number' ? stored : null
}
