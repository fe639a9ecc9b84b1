import { Type } from 'typebox'
import type { FieldType } from '../field-type.ts'
import { NO_PROPERTIES } from '../properties.ts'
import { migrateToSameType } from '../same-type.ts'

const DIRECTIONS = ['out', 'in', 'both'] as const

/** References from and to the artifact's texts. The field is read-only; written values are ignored. */
export const crossReferencesField: FieldType = {
  type: 'cross',
  kind: 'field',
  schemaName: 'CrossReferences',
  properties: NO_PROPERTIES,
  needs: ['references'],
  read(_, __, { references }) {
    if (references.length === 0) return undefined
    return { value: DIRECTIONS.flatMap((direction) => references.filter((each) => each.direction === direction)) }
  },
  blank: { shown: { value: [] } },
  readSchema: {
    value: Type.Array(Type.Object({ ref: Type.String(), url: Type.String(), direction: Type.Enum([...DIRECTIONS]) })),
  },
  flat: (_, __, { references }) => references.map(({ ref }) => ref),
  migrate: migrateToSameType,
}
