import type { Transition, Workflow } from '../tracker.ts'

/** Conditions and actions, which in simple mode belong to the target state. */
type Terms = Pick<Transition, 'groups' | 'not_empty' | 'needs_comment' | 'actions'>

/** The workflow with changed terms of one transition or, in simple mode, of all transitions to its target state. */
export function replaceTerms(workflow: Workflow, { id, to }: Transition, terms: Partial<Terms>): Workflow {
  const isMeant = (each: Transition) => (workflow.is_advanced ? each.id === id : each.to === to)
  return {
    ...workflow,
    transitions: workflow.transitions.map((each) => (isMeant(each) ? { ...each, ...terms } : each)),
  }
}

/** The terms of a new transition: in simple mode those of its target state. */
export function stateTerms(workflow: Workflow, to: Transition['to']): Terms {
  const alike = workflow.is_advanced ? undefined : workflow.transitions.find((each) => each.to === to)
  if (!alike) return { groups: [], not_empty: [], needs_comment: false, actions: [] }
  const { groups, not_empty, needs_comment, actions } = alike
  return { groups, not_empty, needs_comment, actions }
}

/** For simple mode: the first transition to each state determines the terms of all of them. */
export function simplified(workflow: Workflow): Workflow {
  const first = new Map<number, Transition>()
  for (const each of workflow.transitions) if (!first.has(each.to)) first.set(each.to, each)
  return {
    ...workflow,
    is_advanced: false,
    transitions: workflow.transitions.map((each) => ({
      ...(first.get(each.to) ?? each),
      id: each.id,
      from: each.from,
    })),
  }
}
