import type { FormState } from '../represent-field.ts'
import type { Action, FieldId, StoredValues, Tracker } from '../tracker.ts'
import type { TrackerAccess } from '../tracker-access.ts'
import { isHidden } from './hidden-rules.ts'
import { storedListValue } from './list-values.ts'

/** The effect of the artifact's state on the form. It is hidden from viewers who may not read the state. */
export function formStateOf(access: Pick<TrackerAccess, 'tracker' | 'mayRead'>, values: StoredValues): FormState {
  const { tracker } = access
  if (tracker.workflow && isHidden(access, tracker.workflow.field_id)) return { frozen: new Set(), hidden: new Set() }
  return { frozen: frozenFields(tracker, values), hidden: hiddenFieldsets(tracker, values) }
}

/** Fields that are read-only for everyone in this state. */
export function frozenFields(tracker: Pick<Tracker, 'workflow'>, values: StoredValues): ReadonlySet<FieldId> {
  const actions = actionsOfState(tracker, values)
  return new Set(actions.flatMap((action) => (action.type === 'frozen_fields' ? action.field_ids : [])))
}

export function hiddenFieldsets(tracker: Pick<Tracker, 'workflow'>, values: StoredValues): ReadonlySet<FieldId> {
  const actions = actionsOfState(tracker, values)
  return new Set(actions.flatMap((action) => (action.type === 'hidden_fieldsets' ? action.fieldset_ids : [])))
}

/** In simple mode actions belong to the state: all transitions to it have the same ones. */
function actionsOfState({ workflow }: Pick<Tracker, 'workflow'>, values: StoredValues): readonly Action[] {
  if (!workflow?.is_used || workflow.is_advanced) return []
  const state = storedListValue(values, workflow.field_id)
  return workflow.transitions.find(({ to }) => to === state)?.actions ?? []
}
