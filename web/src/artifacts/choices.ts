import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { isRecord, keyIn, recordsIn, textIn } from './loose.ts'

/** As the API takes it back: the id of a value or of a person, or the name of a group. */
export type ChoiceKey = number | string

export interface Choice {
  readonly key: ChoiceKey
  readonly label: string
  readonly isHidden: boolean
}

/** What is chosen in a list now. */
export type Chosen = (fieldId: number) => readonly ChoiceKey[]

const NONE = 100

/** Everything that a list knows, also what can be chosen no longer. */
export function choicesOf({ values }: TrackerField): readonly Choice[] {
  return recordsIn(values).flatMap((value) => {
    const { user_reference: user, ugroup_reference: group } = value
    const isHidden = value['is_hidden'] === true
    const source = isRecord(user) ? user : isRecord(group) ? group : value
    const key = keyIn(source['id'])
    const label = textIn(source['real_name']) || textIn(source['label'])
    return key === undefined ? [] : [{ key, label, isHidden }]
  })
}

interface Offering {
  readonly tracker: Tracker
  readonly field: TrackerField
  /** What is stored in this field: it may stay, and the workflow goes on from there. */
  readonly stored: readonly ChoiceKey[]
  readonly chosen: Chosen
}

/** What can be chosen as things are: by the workflow, and by what is chosen in other lists. */
export function offeredChoices({ tracker, field, stored, chosen }: Offering): readonly Choice[] {
  const isNext = nextInWorkflow(tracker, field, stored)
  const isAllowed = allowedByOthers(tracker, field, chosen)
  return choicesOf(field).filter(
    ({ key, isHidden }) => stored.includes(key) || (!isHidden && isNext(key) && isAllowed(key)),
  )
}

/** Whether the workflow has a say in this field; then it is never emptied. */
export function isWorkflowField({ workflow }: Tracker, { field_id }: TrackerField): boolean {
  return workflow?.is_used === '1' && workflow.field_id === field_id
}

function nextInWorkflow(tracker: Tracker, field: TrackerField, stored: readonly ChoiceKey[]) {
  if (!isWorkflowField(tracker, field)) return () => true
  const from = stored.find((key) => key !== NONE) ?? null
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
