import { fold } from '../../accounts/login.ts'
import type { Tx } from '../../platform/database/db.ts'
import { createOpenValues } from '../../trackers/binds/population.ts'
import type { OpenValue } from '../../trackers/field-types/field-type.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { FieldId } from '../../trackers/tracker.ts'
import { isNewValue } from './decide-values.ts'
import type { Changes } from './version-draft.ts'

/** Creates the new labels, and replaces them by their values in the drafts. */
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

/** By field, each in the spelling that was typed first. */
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
