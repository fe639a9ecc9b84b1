import { Type } from 'typebox'
import type { FieldType } from './field-type.ts'
import { flag, flagOf } from './properties.ts'
import { refuseWriting } from './read-only.ts'
import { migrateToSameType } from './same-type.ts'

/** How much is left to do on each day of the time that the artifact takes. */
export const burndownField: FieldType = {
  type: 'burndown',
  kind: 'field',
  properties: Type.Object(
    { use_capacity: flag(0), include_weekends: flag(0), use_cache: flag(0) },
    { additionalProperties: false },
  ),
  isSingle: true,
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
  readSchema: { value: Type.Object({}, { additionalProperties: Type.Unknown() }) },
  write: refuseWriting,
  flat: () => null,
  migrate: migrateToSameType,
}
