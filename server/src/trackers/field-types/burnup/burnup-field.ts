import { Type } from 'typebox'
import { CHART_MEMBERS } from '../chart-members.ts'
import type { FieldType } from '../field-type.ts'
import { NO_PROPERTIES } from '../properties.ts'
import { refuseWriting } from '../read-only.ts'
import { migrateToSameType } from '../same-type.ts'

/** The completed effort per day of the artifact's period. */
export const burnupField: FieldType = {
  type: 'burnup',
  kind: 'field',
  schemaName: 'Burnup',
  properties: NO_PROPERTIES,
  isSingle: true,
  needs: ['charts'],
  chart: 'completed',
  read(_, { id }, reading) {
    const value = reading.burnup(id)
    return value && { value }
  },
  readSchema: {
    value: Type.Object({
      ...CHART_MEMBERS,
      points_with_date: Type.Array(
        Type.Object({ date: Type.String(), team_effort: Type.Number(), total_effort: Type.Number() }),
      ),
      points_with_date_count_elements: Type.Array(
        Type.Object({ date: Type.String(), closed_elements: Type.Integer(), total_elements: Type.Integer() }),
      ),
    }),
  },
  write: refuseWriting,
  flat: () => null,
  migrate: migrateToSameType,
}
