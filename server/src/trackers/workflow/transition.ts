import type { Problem } from '../../platform/words/reasons.ts'
import { fieldTypeOf } from '../fields/field-types.ts'
import { groupIdOf } from '../group-id-of.ts'
import type { Sight } from '../sight.ts'
import type { Element, FieldId, ListValueId, StoredValues, Tracker, Transition, Workflow } from '../tracker.ts'
import { choosable, labelOf, named, usedElement, valueOf } from './list-values.ts'

/** Who takes the step. Problems name only what he may read. */
export type Mover = Pick<Sight, 'tracker' | 'groups' | 'mayRead'>

/** What a write would store: what was sent, and for a new artifact the defaults. */
type Changes = ReadonlyMap<FieldId, unknown>

/** `from` null: a new artifact. */
export function findTransition(workflow: Workflow, from: ListValueId | null, to: ListValueId): Transition | undefined {
  return workflow.transitions.find((transition) => transition.from === from && transition.to === to)
}

/** Why a write cannot move the field of the workflow as it does; undefined: it can, or does not move it. */
export function missingTransition(
  mover: Mover,
  stored: StoredValues | undefined,
  changes: Changes,
): Problem | undefined {
  const move = moveOf(mover.tracker, stored, changes)
  if (!move || transitionOf(mover.tracker, stored, changes)) return undefined
  return missing(mover, move)
}

/** The transition that a write performs. `stored` undefined: it makes an artifact. */
export function transitionOf(
  tracker: Tracker,
  stored: StoredValues | undefined,
  changes: Changes,
): Transition | undefined {
  const move = moveOf(tracker, stored, changes)
  return move && move.to !== null ? findTransition(move.workflow, move.from, move.to) : undefined
}

interface Move {
  readonly workflow: Workflow
  readonly field: Element
  readonly from: ListValueId | null
  /** Null: None, where no transition leads. */
  readonly to: ListValueId | null
}

function moveOf(tracker: Tracker, stored: StoredValues | undefined, changes: Changes): Move | undefined {
  const { workflow } = tracker
  const field = workflow?.is_used ? usedElement(tracker, workflow.field_id) : undefined
  if (!workflow || !field || !changes.has(field.id)) return undefined
  const from = stored ? valueOf(stored, field.id) : null
  const to = valueOf({ [String(field.id)]: changes.get(field.id) }, field.id)
  // Whoever makes an artifact and says that it has no value here asks for a step that there never is.
  return to === from && stored ? undefined : { workflow, field, from, to }
}

function missing(mover: Mover, { workflow: { transitions }, field, from, to }: Move): Problem {
  const problem = { reason: 'transition_not_allowed', cause: 'transition_missing', rule: 'one_of' } as const
  if (!mover.mayRead(field)) return { ...problem, ...named(field) }
  const targets = transitions.filter((each) => each.from === from && isFor(each, mover.groups)).map((each) => each.to)
  return {
    ...problem,
    ...named(field),
    allowed: choosable(field, new Set(targets)),
    params: { from: labelOf(field, from), to: labelOf(field, to) },
  }
}

interface Attempt {
  readonly merged: StoredValues
  readonly comment: string
  /** The platform itself, which is in no group and needs none. */
  readonly isWorkflowUser?: boolean
}

/** Everything that a transition demands, and that this write does not meet. */
export function checkConditions(mover: Mover, transition: Transition, attempt: Attempt): Problem[] {
  const { tracker } = mover
  const field = tracker.workflow ? usedElement(tracker, tracker.workflow.field_id) : undefined
  const problems: Problem[] = []
  if (!attempt.isWorkflowUser && !isFor(transition, mover.groups)) {
    problems.push({
      reason: 'transition_not_allowed',
      cause: 'transition_group',
      who_may: transition.groups.map((group) => ({ user_group: groupIdOf(tracker, group) })),
      ...(field && named(field)),
    })
  }
  for (const id of transition.not_empty) {
    const wanted = usedElement(tracker, id)
    if (!wanted || !isEmpty(wanted, attempt.merged)) continue
    problems.push({
      reason: 'field_required',
      cause: 'transition_field_empty',
      rule: 'required',
      ...(mover.mayRead(wanted) && named(wanted)),
    })
  }
  if (transition.needs_comment && transition.from !== null && attempt.comment.trim() === '')
    problems.push({ reason: 'rule_violated', cause: 'comment_required', path: 'comment.body', rule: 'required' })
  return problems
}

function isFor({ groups }: Transition, those: ReadonlySet<number>): boolean {
  return groups.length === 0 || groups.some((group) => those.has(group))
}

function isEmpty(element: Element, values: StoredValues): boolean {
  const stored = values[String(element.id)]
  return stored === undefined || stored === null || (fieldTypeOf(element).isEmpty?.(stored) ?? false)
}
