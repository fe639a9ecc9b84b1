import { Type } from 'typebox'
import type { FieldType } from './field-type.ts'
import { NO_PROPERTIES } from './properties.ts'
import { refuseWriting } from './read-only.ts'
import { migrateToSameType } from './same-type.ts'

/** The number of the artifact in its tracker, from 1. */
export const numberInTrackerField: FieldType = {
  type: 'atid',
  kind: 'field',
  givenBy: 'creation',
  properties: NO_PROPERTIES,
  isSingle: true,
  isAlphanumeric: true,
  read: (_, __, { facts }) => ({ value: facts.number }),
  readSchema: { value: Type.Integer() },
  write: refuseWriting,
  flat: (_, __, { facts }) => facts.number,
  migrate: migrateToSameType,
}
