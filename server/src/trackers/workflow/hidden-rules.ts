import type { ErrorProblem } from '../../platform/messages/reasons.ts'
import type { TrackerAccess } from '../tracker-access.ts'
import type { FieldId, Transition } from '../tracker.ts'
import { usedElement } from './list-values.ts'

/** The generic problem for every rule with a field that the caller may not read: any detail would reveal its value. */
export const HIDDEN_RULE: ErrorProblem = { reason: 'rule_violated', cause: 'hidden_rule' }

/** Keeps readable problems and merges hidden ones into one, because their number would reveal something as well. */
export function mergeHidden(problems: readonly ErrorProblem[]): ErrorProblem[] {
  const readable = withoutHidden(problems)
  return readable.length === problems.length ? readable : [...readable, HIDDEN_RULE]
}

export function withoutHidden(problems: readonly ErrorProblem[]): ErrorProblem[] {
  return problems.filter((problem) => problem !== HIDDEN_RULE)
}

/** Whether a rule that could refuse this write has a field that the caller may not read. Independent of values. */
export function hasHiddenRules(
  access: Pick<TrackerAccess, 'tracker' | 'mayRead'>,
  transition: Transition | undefined,
): boolean {
  const { dates, lists } = access.tracker.rules
  const between = [...dates, ...lists].flatMap(({ source, target }) => [source, target])
  return [...between, ...(transition?.not_empty ?? [])].some((field) => isHidden(access, field))
}

export function isHidden({ tracker, mayRead }: Pick<TrackerAccess, 'tracker' | 'mayRead'>, field: FieldId): boolean {
  const element = usedElement(tracker, field)
  return element !== undefined && !mayRead(element)
}
