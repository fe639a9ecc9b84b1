import type { TrackerField } from '@waypost/sdk/api'
import { listChoices } from '../artifacts/choices.ts'
import { toHue } from '../design/hue.ts'
import { offeredItems } from '../field-types/values.ts'
import type { SeriesLine } from './time-series.ts'

/** The values of a list in the colours of their pills; without, if none has a colour. */
export function coloredValues(field: TrackerField): Pick<SeriesLine, 'label' | 'hue'>[] {
  const items = offeredItems(field)
  const colors = new Map(items.map(({ id, value_color: color }) => [id, color]))
  const hasColors = items.some(({ value_color: color }) => color !== undefined && color !== '')
  return listChoices(field).map(({ key, label }) => ({ label, hue: hasColors ? toHue(colors.get(key)) : undefined }))
}
