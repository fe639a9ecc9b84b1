import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { offeredItems } from '../field-types/values.ts'

/** As the API accepts it: the id of a value or a person, or the name of a group. */
export type ChoiceKey = number | string

export interface ListChoice {
  readonly key: ChoiceKey
  readonly label: string
  readonly isHidden: boolean
}

/** Returns the keys that are selected in a list field. */
export type Chosen = (fieldId: number) => readonly ChoiceKey[]

const NONE_VALUE_ID = 100

/** All values of a list, including those that can no longer be chosen. */
export function listChoices(field: TrackerField): readonly ListChoice[] {
  return offeredItems(field).flatMap((item) => {
    const { id, real_name, label } = item.user_reference ?? item.ugroup_reference ?? item
    const isHidden = item.is_hidden === true
    return id === null || id === undefined ? [] : [{ key: id, label: real_name || label || '', isHidden }]
  })
}

interface Offering {
  readonly tracker: Tracker
  readonly field: TrackerField
  /** The stored values: they stay allowed, and workflow transitions start from them. */
  readonly stored: readonly ChoiceKey[]
  readonly chosen: Chosen
}

/** The values allowed by the workflow and by the selections in other lists. */
export function offeredChoices({ tracker, field, stored, chosen }: Offering): readonly ListChoice[] {
  const isNext = nextInWorkflow(tracker, field, stored)
  const isAllowed = allowedByOthers(tracker, field, chosen)
  return listChoices(field).filter(
    ({ key, isHidden }) => stored.includes(key) || (!isHidden && isNext(key) && isAllowed(key)),
  )
}

/** True if the workflow controls this field; then it cannot be empty. */
export function isWorkflowField({ workflow }: Tracker, { field_id }: TrackerField): boolean {
  return workflow?.is_used === '1' && workflow.field_id === field_id
}

function nextInWorkflow(tracker: Tracker, field: TrackerField, stored: readonly ChoiceKey[]) {
  if (!isWorkflowField(tracker, field)) return () => true
  const from = stored.find((key) => key !== NONE_VALUE_ID) ?? null
  const next = tracker.workflow?.transitions.filter(({ from_id }) => from_id === from).map(({ to_id }) => to_id) ?? []
  return (key: ChoiceKey) => next.some((id) => id === key)
}

function allowedByOthers({ workflow }: Tracker, field: TrackerField, chosen: Chosen) {
  const rules = workflow?.rules.lists.filter(({ target_field_id }) => target_field_id === field.field_id) ?? []
  const sources = new Set(rules.map(({ source_field_id }) => source_field_id))
  return (key: ChoiceKey) =>
    [...sources].every((source) => {
      const values = chosen(source)
      if (values.length === 0) return true
      return rules.some(
        (rule) =>
          rule.source_field_id === source && values.includes(rule.source_value_id) && rule.target_value_id === key,
      )
    })
}
