import { fold } from '../../accounts/login.ts'
import type { Tx } from '../../platform/database/db.ts'
import { createOpenValues } from '../../trackers/binds/population.ts'
import type { OpenValue } from '../../trackers/fields/field-type.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { FieldId } from '../../trackers/tracker.ts'
import type { Changes } from './draft.ts'

/** Whether it has labels in it that nobody has typed before. */
export function hasNewValues(changes: Changes): boolean {
  return [...changes.values()].some((value) => Array.isArray(value) && value.some(isNewValue))
}

/** Makes the labels that nobody has typed before, and gives what was drafted with them in their place. */
export async function makeOpenValues(
  tx: Tx,
  tracker: LoadedTracker,
  drafted: readonly Changes[],
): Promise<readonly Changes[]> {
  const made = new Map<FieldId, ReadonlyMap<string, OpenValue>>()
  for (const [field, labels] of newLabels(drafted)) {
    const values = await createOpenValues(tx, tracker, field, [...labels.values()])
    made.set(field, new Map([...values].map(([label, value]) => [fold(label), value])))
  }
  if (made.size === 0) return drafted
  return drafted.map(
    (changes) => new Map([...changes].map(([field, value]) => [field, settled(value, made.get(field))])),
  )
}

/** By field, each in the form in which it was typed first. */
function newLabels(drafted: readonly Changes[]): ReadonlyMap<FieldId, ReadonlyMap<string, string>> {
  const labels = new Map<FieldId, Map<string, string>>()
  for (const changes of drafted)
    for (const [field, value] of changes)
      for (const { label } of Array.isArray(value) ? value.filter(isNewValue) : []) {
        const known = labels.get(field) ?? new Map<string, string>()
        if (!known.has(fold(label))) known.set(fold(label), label)
        labels.set(field, known)
      }
  return labels
}

function settled(stored: unknown, made: ReadonlyMap<string, OpenValue> | undefined): unknown {
  if (!made || !Array.isArray(stored)) return stored
  return stored.map((each: unknown) => (isNewValue(each) ? (made.get(fold(each.label)) ?? each) : each))
}

export function isNewValue(value: unknown): value is { id: 0; label: string } {
  return typeof value === 'object' && value !== null && 'id' in value && value.id === 0 && 'label' in value
}
