import { Type } from 'typebox'
import { nullable } from '../../../platform/wire/nullable.ts'
import { CHART_MEMBERS } from '../chart-members.ts'
import type { FieldType } from '../field-type.ts'
import { flag, flagOf } from '../properties.ts'
import { refuseWriting } from '../read-only.ts'
import { migrateToSameType } from '../same-type.ts'

/** The remaining effort per day of the artifact's period. */
export const burndownField: FieldType = {
  type: 'burndown',
  kind: 'field',
  schemaName: 'Burndown',
  properties: Type.Object(
    { use_capacity: flag(0), include_weekends: flag(0), use_cache: flag(0) },
    { additionalProperties: false },
  ),
  isSingle: true,
  needs: ['charts'],
  chart: 'remaining',
  describe: ({ properties }) => ({
    specific_properties: {
      use_capacity: flagOf(properties['use_capacity']),
      include_weekends: flagOf(properties['include_weekends']),
      use_cache: flagOf(properties['use_cache']),
    },
  }),
  read(_, { id }, reading) {
    const value = reading.burndown(id)
    return value && { value }
  },
  readSchema: {
    value: Type.Object({
      ...CHART_MEMBERS,
      points: Type.Array(nullable(Type.Number())),
      points_with_date: Type.Array(Type.Object({ date: Type.String(), remaining_effort: nullable(Type.Number()) })),
    }),
  },
  write: refuseWriting,
  flat: () => null,
  migrate: migrateToSameType,
}
