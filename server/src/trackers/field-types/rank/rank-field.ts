import { Type } from 'typebox'
import { factNumbers, numberCriteria } from '../../search/number-search.ts'
import type { FieldType } from '../field-type.ts'
import { NO_PROPERTIES } from '../properties.ts'
import { migrateToSameType } from '../same-type.ts'

/** The global rank of the artifact. Other routes change it; values written here are ignored. */
export const rankField: FieldType = {
  type: 'priority',
  kind: 'field',
  schemaName: 'Rank',
  givenBy: 'creation',
  properties: NO_PROPERTIES,
  isSingle: true,
  isAlphanumeric: true,
  column: 'numeric',
  read: (_, __, { facts }) => ({ value: facts.rank }),
  readSchema: { value: Type.Integer() },
  search: { ...numberCriteria(factNumbers('rank')), sort: () => ({ kind: 'fact', fact: 'rank' }) },
  flat: (_, __, { facts }) => facts.rank,
  migrate: migrateToSameType,
}
