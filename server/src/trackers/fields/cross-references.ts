import { Type } from 'typebox'
import type { FieldType } from './field-type.ts'
import { NO_PROPERTIES } from './properties.ts'
import { migrateToSameType } from './same-type.ts'

const DIRECTIONS = ['out', 'in', 'both'] as const

/** What the texts of the artifact refer to, and what refers to it. What is written here is ignored. */
export const crossReferencesField: FieldType = {
  type: 'cross',
  kind: 'field',
  properties: NO_PROPERTIES,
  read(_, __, { references }) {
    if (references.length === 0) return undefined
    return { value: DIRECTIONS.flatMap((direction) => references.filter((each) => each.direction === direction)) }
  },
  readSchema: {
    value: Type.Array(Type.Object({ ref: Type.String(), url: Type.String(), direction: Type.Enum([...DIRECTIONS]) })),
  },
  flat: (_, __, { references }) => references.map(({ ref }) => ref),
  migrate: migrateToSameType,
}
