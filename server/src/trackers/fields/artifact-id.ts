import { Type } from 'typebox'
import type { FieldType } from './field-type.ts'
import { NO_PROPERTIES } from './properties.ts'
import { refuseWriting } from './read-only.ts'
import { migrateToSameType } from './same-type.ts'

/** The id of the artifact. */
export const artifactIdField: FieldType = {
  type: 'aid',
  kind: 'field',
  givenBy: 'creation',
  properties: NO_PROPERTIES,
  isSingle: true,
  isAlphanumeric: true,
  read: (_, __, { facts }) => ({ value: facts.id }),
  readSchema: { value: Type.Integer() },
  write: refuseWriting,
  flat: (_, __, { facts }) => facts.id,
  migrate: migrateToSameType,
}
