import type { WorkflowDefinition } from '@waypost/sdk/api'
import type { Conditions, Definition, FormElement, DefinedListValue, WorkflowStep } from './definition.ts'
import { findFormElement } from './tree.ts'

/** The state before creation, as the source of initial transitions. */
export const NEW = '@new'

export function isAdvanced(workflow: WorkflowDefinition): boolean {
  return workflow.mode === 'advanced'
}

/** All transitions, in either mode. */
export function stepsOf(workflow: WorkflowDefinition | null): WorkflowStep[] {
  if (!workflow) return []
  if (isAdvanced(workflow)) return workflow.transitions ?? []
  return (workflow.states ?? []).flatMap(({ from, ...state }) => from.map((each) => ({ ...state, from: each })))
}

/** In simple mode, all transitions to a value share the conditions of the first. */
export function withSteps(workflow: WorkflowDefinition, steps: readonly WorkflowStep[]): WorkflowDefinition {
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

/** Transitions that share conditions: a single one, or in simple mode all to the same value. */
export interface WorkflowRule {
  readonly to: string
  readonly from: readonly string[]
  readonly conditions: Conditions
  readonly actions: NonNullable<WorkflowStep['actions']>
}

export function rulesOf(workflow: WorkflowDefinition | null): WorkflowRule[] {
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

export function withRuleTerms(
  workflow: WorkflowDefinition,
  rule: WorkflowRule,
  terms: Pick<WorkflowRule, 'conditions' | 'actions'>,
): WorkflowDefinition {
  const isMeant = (step: WorkflowStep) => step.to === rule.to && rule.from.includes(step.from)
  return withSteps(
    workflow,
    stepsOf(workflow).map((step) => (isMeant(step) ? { ...step, ...terms } : step)),
  )
}

export function workflowField(definition: Definition): FormElement | undefined {
  return definition.workflow ? findFormElement(definition, definition.workflow.field) : undefined
}

/** The values for transitions, including retired ones that a transition still uses. */
export function workflowStates(definition: Definition): DefinedListValue[] {
  const bind = workflowField(definition)?.bind
  if (bind?.type !== 'static') return []
  const named = new Set(stepsOf(definition.workflow).flatMap(({ from, to }) => [from, to]))
  return bind.values.filter(({ key, hidden }) => !hidden || named.has(key))
}
