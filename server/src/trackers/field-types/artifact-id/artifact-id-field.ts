import { Type } from 'typebox'
import { factNumbers, numberComparisons, numberCriteria } from '../../search/number-search.ts'
import type { FieldType } from '../field-type.ts'
import { NO_PROPERTIES } from '../properties.ts'
import { refuseWriting } from '../read-only.ts'
import { migrateToSameType } from '../same-type.ts'

const IDS = factNumbers('id')

export const artifactIdField: FieldType = {
  type: 'aid',
  kind: 'field',
  schemaName: 'ArtifactId',
  givenBy: 'creation',
  properties: NO_PROPERTIES,
  isSingle: true,
  isAlphanumeric: true,
  read: (_, __, { facts }) => ({ value: facts.id }),
  readSchema: { value: Type.Integer() },
  write: refuseWriting,
  search: {
    ...numberCriteria(IDS),
    ...numberComparisons(IDS),
    sort: () => ({ kind: 'fact', fact: 'id' }),
  },
  flat: (_, __, { facts }) => facts.id,
  migrate: migrateToSameType,
}
