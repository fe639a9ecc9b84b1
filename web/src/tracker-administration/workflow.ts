import type { WorkflowDefinition } from '@waypost/sdk/api'
import type { Conditions, Definition, Element, ListValue, Step } from './definition.ts'
import { findElement } from './tree.ts'

/** Before an artifact has a value: it is made with one. */
export const NEW = '@new'

export function isAdvanced(workflow: WorkflowDefinition): boolean {
  return workflow.mode === 'advanced'
}

/** Every step from one value to another, in either mode. */
export function stepsOf(workflow: WorkflowDefinition | null): Step[] {
  if (!workflow) return []
  if (isAdvanced(workflow)) return workflow.transitions ?? []
  return (workflow.states ?? []).flatMap(({ from, ...state }) => from.map((each) => ({ ...state, from: each })))
}

/** In simple mode, all that lead to the same value share what the first of them says. */
export function withSteps(workflow: WorkflowDefinition, steps: readonly Step[]): WorkflowDefinition {
  const { states: _, transitions: __, ...head } = workflow
  if (isAdvanced(workflow)) return { ...head, transitions: [...steps] }
  const states = [...Map.groupBy(steps, ({ to }) => to)].flatMap(([, [first, ...rest]]) =>
    first ? { ...first, from: [first, ...rest].map(({ from }) => from) } : [],
  )
  return { ...head, states }
}

export function changeWorkflow(
  before: Definition,
  change: (workflow: WorkflowDefinition) => WorkflowDefinition,
): Definition {
  return before.workflow ? { ...before, workflow: change(before.workflow) } : before
}

export function hasStep(workflow: WorkflowDefinition | null, from: string, to: string): boolean {
  return stepsOf(workflow).some((step) => step.from === from && step.to === to)
}

export function addStep(workflow: WorkflowDefinition, from: string, to: string): WorkflowDefinition {
  if (from === to || hasStep(workflow, from, to)) return workflow
  return withSteps(workflow, [...stepsOf(workflow), { from, to }])
}

export function removeStep(workflow: WorkflowDefinition, from: string, to: string): WorkflowDefinition {
  return withSteps(
    workflow,
    stepsOf(workflow).filter((step) => step.from !== from || step.to !== to),
  )
}

/** Steps that have their conditions together: one by one, or in simple mode all to the same value. */
export interface Rule {
  readonly to: string
  readonly from: readonly string[]
  readonly conditions: Conditions
  readonly actions: NonNullable<Step['actions']>
}

export function rulesOf(workflow: WorkflowDefinition | null): Rule[] {
  const steps = stepsOf(workflow)
  const groups =
    workflow && isAdvanced(workflow) ? steps.map((step) => [step]) : Map.groupBy(steps, ({ to }) => to).values()
  return [...groups].flatMap(([first, ...rest]) => {
    if (!first) return []
    const { groups: may = [], not_empty = [], comment = false } = first.conditions ?? {}
    const from = [first, ...rest].map((step) => step.from)
    return { to: first.to, from, conditions: { groups: may, not_empty, comment }, actions: first.actions ?? [] }
  })
}

export function withTerms(
  workflow: WorkflowDefinition,
  rule: Rule,
  terms: Pick<Rule, 'conditions' | 'actions'>,
): WorkflowDefinition {
  const isMeant = (step: Step) => step.to === rule.to && rule.from.includes(step.from)
  return withSteps(
    workflow,
    stepsOf(workflow).map((step) => (isMeant(step) ? { ...step, ...terms } : step)),
  )
}

export function fieldOf(definition: Definition): Element | undefined {
  return definition.workflow ? findElement(definition, definition.workflow.field) : undefined
}

/** The values that there can be steps between; one that is no longer offered, for as long as a step names it. */
export function statesOf(definition: Definition): ListValue[] {
  const bind = fieldOf(definition)?.bind
  if (bind?.type !== 'static') return []
  const named = new Set(stepsOf(definition.workflow).flatMap(({ from, to }) => [from, to]))
  return bind.values.filter(({ key, hidden }) => !hidden || named.has(key))
}
