import { Type } from 'typebox'
import type { FieldType } from './field-type.ts'
import { NO_PROPERTIES } from './properties.ts'
import { refuseWriting } from './read-only.ts'
import { migrateToSameType } from './same-type.ts'

/** How much is done on each day of the time that the artifact takes. */
export const burnupField: FieldType = {
  type: 'burnup',
  kind: 'field',
  properties: NO_PROPERTIES,
  isSingle: true,
  read(_, { id }, reading) {
    const value = reading.burnup(id)
    return value && { value }
  },
  readSchema: { value: Type.Object({}, { additionalProperties: Type.Unknown() }) },
  write: refuseWriting,
  flat: () => null,
  migrate: migrateToSameType,
}
