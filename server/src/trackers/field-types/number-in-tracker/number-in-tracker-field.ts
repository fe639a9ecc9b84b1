import { Type } from 'typebox'
import { factNumbers, numberComparisons, numberCriteria } from '../../search/number-search.ts'
import type { FieldType } from '../field-type.ts'
import { NO_PROPERTIES } from '../properties.ts'
import { refuseWriting } from '../read-only.ts'
import { migrateToSameType } from '../same-type.ts'

const NUMBERS = factNumbers('number')

/** The number of the artifact within its tracker, starting at 1. */
export const numberInTrackerField: FieldType = {
  type: 'atid',
  kind: 'field',
  schemaName: 'NumberInTracker',
  givenBy: 'creation',
  properties: NO_PROPERTIES,
  isSingle: true,
  isAlphanumeric: true,
  column: 'numeric',
  read: (_, __, { facts }) => ({ value: facts.number }),
  readSchema: { value: Type.Integer() },
  write: refuseWriting,
  search: {
    ...numberCriteria(NUMBERS),
    ...numberComparisons(NUMBERS),
    sort: () => ({ kind: 'fact', fact: 'number' }),
  },
  flat: (_, __, { facts }) => facts.number,
  migrate: migrateToSameType,
}
