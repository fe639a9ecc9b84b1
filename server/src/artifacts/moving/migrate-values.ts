import { Type } from 'typebox'
import type { Migrating } from '../../trackers/fields/field-type.ts'
import { fieldTypeOf } from '../../trackers/fields/field-types.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { Element, FieldId, StoredValues } from '../../trackers/tracker.ts'

/** What becomes of the values of an artifact in another tracker. */
export interface Migration {
  /** By the fields there. */
  readonly values: ReadonlyMap<FieldId, unknown>
  /** Fields of the source: all of its value goes, some, or none. */
  readonly whole: readonly Element[]
  readonly partial: readonly Element[]
  readonly none: readonly Element[]
}

/** The field that takes the values of another one has its name; whether it can, the type of the other decides. */
export function migrateValues(
  stored: StoredValues,
  from: readonly Element[],
  to: LoadedTracker,
  migrating: Migrating,
): Migration {
  const values = new Map<FieldId, unknown>()
  const [whole, partial, none]: [Element[], Element[], Element[]] = [[], [], []]
  for (const element of from) {
    const type = fieldTypeOf(element)
    if (!element.is_used || type.kind !== 'field') continue
    const there = to.byName.get(element.name)
    const before = stored[String(element.id)]
    const migrated = there && type.migrate?.(before, element, there, migrating)
    if (!there || !migrated) {
      none.push(element)
      continue
    }
    ;(migrated.isPartial ? partial : whole).push(element)
    if (before !== undefined && migrated.value !== undefined) values.set(there.id, migrated.value)
  }
  return { values, whole, partial, none }
}

export const FieldName = Type.Object(
  { field_id: Type.Integer(), label: Type.String(), name: Type.String() },
  { title: 'FieldName' },
)

export function nameFields(elements: readonly Element[]) {
  return elements.map(({ id, label, name }) => ({ field_id: id, label, name }))
}
