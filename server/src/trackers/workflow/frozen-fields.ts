import type { FormState } from '../represent-field.ts'
import type { Action, FieldId, StoredValues, Tracker } from '../tracker.ts'
import { valueOf } from './list-values.ts'

/** What the state that these values are in does to the form. */
export function formStateOf(tracker: Pick<Tracker, 'workflow'>, values: StoredValues): FormState {
  return { frozen: frozenFields(tracker, values), hidden: hiddenFieldsets(tracker, values) }
}

/** Fields that nobody may change in this state. */
export function frozenFields(tracker: Pick<Tracker, 'workflow'>, values: StoredValues): ReadonlySet<FieldId> {
  const actions = actionsOfState(tracker, values)
  return new Set(actions.flatMap((action) => (action.type === 'frozen_fields' ? action.field_ids : [])))
}

export function hiddenFieldsets(tracker: Pick<Tracker, 'workflow'>, values: StoredValues): ReadonlySet<FieldId> {
  const actions = actionsOfState(tracker, values)
  return new Set(actions.flatMap((action) => (action.type === 'hidden_fieldsets' ? action.fieldset_ids : [])))
}

/** In simple mode actions belong to the state: each transition that leads there has the same ones. */
function actionsOfState({ workflow }: Pick<Tracker, 'workflow'>, values: StoredValues): readonly Action[] {
  if (!workflow?.is_used || workflow.is_advanced) return []
  const state = valueOf(values, workflow.field_id)
  return workflow.transitions.find(({ to }) => to === state)?.actions ?? []
}
