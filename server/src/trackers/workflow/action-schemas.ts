import { type Static, Type } from 'typebox'
import type { FieldAction } from '../field-types/field-type.ts'
import { FIELD_TYPES } from '../field-types/field-types.ts'
import type { Action, Tracker } from '../tracker.ts'

export const ACTION_TYPES = ['set_field_value', 'run_job', 'frozen_fields', 'hidden_fieldsets'] as const

function typesSetTo(kind: FieldAction['kind']): string[] {
  return FIELD_TYPES.filter(({ action }) => action?.kind === kind).map(({ type }) => type)
}

/** Field types that an action can set. */
export const SETTABLE_FIELD_TYPES = [...typesSetTo('moment'), ...typesSetTo('number')]
/** For actions on a field that can no longer be set. */
const [DEFAULT_TYPE = ''] = SETTABLE_FIELD_TYPES

export const ActionSchema = Type.Object(
  {
    id: Type.Integer(),
    type: Type.Enum([...ACTION_TYPES]),
    field_type: Type.Optional(Type.Enum([...SETTABLE_FIELD_TYPES])),
    field_id: Type.Optional(Type.Integer()),
    value: Type.Optional(
      Type.Unknown({
        description: 'A number, of minutes for a duration; for a date `current`, empty to clear, or null.',
      }),
    ),
    job_url: Type.Optional(Type.String()),
    field_ids: Type.Optional(Type.Array(Type.Integer())),
    fieldset_ids: Type.Optional(Type.Array(Type.Integer())),
  },
  { title: 'TransitionAction' },
)

export function representAction({ elements }: Tracker, action: Action): Static<typeof ActionSchema> {
  const { id, type } = action
  if (type === 'run_job') return { id, type, job_url: action.job_url }
  if (type === 'frozen_fields') return { id, type, field_ids: [...action.field_ids] }
  if (type === 'hidden_fieldsets') return { id, type, fieldset_ids: [...action.fieldset_ids] }
  const field = elements.find((element) => element.id === action.field_id)
  const field_type = SETTABLE_FIELD_TYPES.find((each) => each === field?.type) ?? DEFAULT_TYPE
  return { id, type, field_type, field_id: action.field_id, value: action.value }
}
