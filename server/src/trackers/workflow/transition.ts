import type { ErrorProblem } from '../../platform/messages/reasons.ts'
import { fieldTypeOf } from '../field-types/field-types.ts'
import { groupIdOf } from '../group-id-of.ts'
import type { TrackerAccess } from '../tracker-access.ts'
import type { Element, FieldId, ListValueId, StoredValues, Tracker, Transition, Workflow } from '../tracker.ts'
import { HIDDEN_RULE, mergeHidden } from './hidden-rules.ts'
import { choosable, listValueLabel, toFieldReference, usedElement, storedListValue } from './list-values.ts'

/** The access of the caller who performs a transition. Problems name only fields they may read. */
export type Mover = Pick<TrackerAccess, 'tracker' | 'groups' | 'mayRead'>

/** The values to store: the values sent and, for a new artifact, the defaults. */
type Changes = ReadonlyMap<FieldId, unknown>

/** `from` null: a new artifact. */
export function findTransition(workflow: Workflow, from: ListValueId | null, to: ListValueId): Transition | undefined {
  return workflow.transitions.find((transition) => transition.from === from && transition.to === to)
}

/**
 * The problem if the workflow has no transition for this write; undefined if it has one, or if the workflow field is
 * unchanged.
 */
export function missingTransition(
  mover: Mover,
  stored: StoredValues | undefined,
  changes: Changes,
): ErrorProblem | undefined {
  const move = moveOf(mover.tracker, stored, changes)
  if (!move || transitionOf(mover.tracker, stored, changes)) return undefined
  return missing(mover, move)
}

/** The transition that a write performs. `stored` undefined: a new artifact. */
export function transitionOf(
  tracker: Tracker,
  stored: StoredValues | undefined,
  changes: Changes,
): Transition | undefined {
  const move = moveOf(tracker, stored, changes)
  return move && move.to !== null ? findTransition(move.workflow, move.from, move.to) : undefined
}

/**
 * The state in which a new artifact begins if the workflow does not let it begin with the given values: the first one that
 * the caller may choose. Undefined: the values can stay.
 */
export function otherBeginning(mover: Mover, changes: Changes): { field: FieldId; state: ListValueId } | undefined {
  const move = moveOf(mover.tracker, undefined, changes)
  if (!move) return undefined
  const states = move.workflow.transitions
    .filter((each) => each.from === null && isFor(each, mover.groups))
    .map(({ to }) => to)
  const first = choosable(move.field, new Set(states))[0]?.id
  const state = states.find((each) => each === first)
  if (state === undefined || states.some((each) => each === move.to)) return undefined
  return { field: move.field.id, state }
}

interface Move {
  readonly workflow: Workflow
  readonly field: Element
  readonly from: ListValueId | null
  /** Null: None, which no transition leads to. */
  readonly to: ListValueId | null
}

function moveOf(tracker: Tracker, stored: StoredValues | undefined, changes: Changes): Move | undefined {
  const { workflow } = tracker
  const field = workflow?.is_used ? usedElement(tracker, workflow.field_id) : undefined
  if (!workflow || !field || !changes.has(field.id)) return undefined
  const from = stored ? storedListValue(stored, field.id) : null
  const to = storedListValue({ [String(field.id)]: changes.get(field.id) }, field.id)
  // A new artifact with an explicit None requests a transition that never exists.
  return to === from && stored ? undefined : { workflow, field, from, to }
}

function missing(mover: Mover, { workflow: { transitions }, field, from, to }: Move): ErrorProblem {
  if (!mover.mayRead(field)) return HIDDEN_RULE
  const targets = transitions.filter((each) => each.from === from && isFor(each, mover.groups)).map((each) => each.to)
  return {
    reason: 'transition_not_allowed',
    cause: 'transition_missing',
    rule: 'one_of',
    ...toFieldReference(field),
    allowed: choosable(field, new Set(targets)),
    params: { from: listValueLabel(field, from), to: listValueLabel(field, to) },
  }
}

interface Attempt {
  readonly merged: StoredValues
  readonly comment: string
  /** The platform itself, which is exempt from group conditions. */
  readonly isWorkflowUser?: boolean
}

/** All unmet conditions of a transition. */
export function checkConditions(mover: Mover, transition: Transition, attempt: Attempt): ErrorProblem[] {
  const { tracker } = mover
  const field = tracker.workflow ? usedElement(tracker, tracker.workflow.field_id) : undefined
  const problems: ErrorProblem[] = []
  if (!attempt.isWorkflowUser && !isFor(transition, mover.groups)) {
    problems.push({
      reason: 'transition_not_allowed',
      cause: 'transition_group',
      who_may: transition.groups.map((group) => ({ user_group: groupIdOf(tracker, group) })),
      ...(field && toFieldReference(field)),
    })
  }
  for (const id of transition.not_empty) {
    const wanted = usedElement(tracker, id)
    if (!wanted || !isEmpty(wanted, attempt.merged)) continue
    problems.push(
      mover.mayRead(wanted)
        ? { reason: 'field_required', cause: 'transition_field_empty', rule: 'required', ...toFieldReference(wanted) }
        : HIDDEN_RULE,
    )
  }
  if (transition.needs_comment && transition.from !== null && attempt.comment.trim() === '')
    problems.push({ reason: 'rule_violated', cause: 'comment_required', path: 'comment.body', rule: 'required' })
  return mergeHidden(problems)
}

function isFor({ groups }: Transition, those: ReadonlySet<number>): boolean {
  return groups.length === 0 || groups.some((group) => those.has(group))
}

function isEmpty(element: Element, values: StoredValues): boolean {
  const stored = values[String(element.id)]
  return stored === undefined || stored === null || (fieldTypeOf(element).isEmpty?.(stored) ?? false)
}
