import { Type } from 'typebox'
import type { Migrating } from '../../trackers/field-types/field-type.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { Element, FieldId, StoredValues } from '../../trackers/tracker.ts'

/** The result of migrating the values of an artifact to another tracker. */
export interface Migration {
  /** By target field. */
  readonly values: ReadonlyMap<FieldId, unknown>
  /** Source fields, by how much of their value migrates: all, some or none. */
  readonly whole: readonly Element[]
  readonly partial: readonly Element[]
  readonly none: readonly Element[]
}

/** Fields match by name; the type of the source field decides whether the value can migrate. */
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

export const MigratedFieldName = Type.Object(
  { field_id: Type.Integer(), label: Type.String(), name: Type.String() },
  { title: 'FieldName' },
)

export function nameFields(elements: readonly Element[]) {
  return elements.map(({ id, label, name }) => ({ field_id: id, label, name }))
}
