import type { Element, FieldId, ListValueId, StoredValues, Tracker } from '../tracker.ts'
import { toId } from '../../platform/database/ids.ts'

/** The stored values of a static list; undefined: nothing was ever stored; empty: None. */
export function storedListValues(values: StoredValues, field: FieldId): readonly ListValueId[] | undefined {
  const stored = values[String(field)]
  if (!Array.isArray(stored)) return undefined
  return stored.filter((each) => typeof each === 'number').map((each) => toId<ListValueId>(each))
}

/** The value of a single-value list; null: None, or nothing was ever stored. */
export function storedListValue(values: StoredValues, field: FieldId): ListValueId | null {
  return storedListValues(values, field)?.[0] ?? null
}

export interface NamedValue {
  readonly id: number
  readonly label: string
}

/** Those of these values that can be chosen, in list order. */
export function choosable(element: Element, ids: ReadonlySet<number>): NamedValue[] {
  if (element.bind?.type !== 'static') return []
  return element.bind.values
    .filter(({ id, is_hidden }) => ids.has(id) && !is_hidden)
    .map(({ id, label }) => ({ id, label }))
}

export function listValueLabel(element: Element, id: ListValueId | null): string | null {
  if (id === null || element.bind?.type !== 'static') return null
  return element.bind.values.find((value) => value.id === id)?.label ?? null
}

/** The members of a problem that identify its field. */
export function toFieldReference({ id, name, label }: Element): { field_id: number; name: string; label: string } {
  return { field_id: id, name, label }
}

export function usedElement(tracker: Pick<Tracker, 'elements'>, id: FieldId): Element | undefined {
  return tracker.elements.find((element) => element.id === id && element.is_used)
}
