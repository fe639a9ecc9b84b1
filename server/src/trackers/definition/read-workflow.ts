import { isDeepStrictEqual } from 'node:util'
import { toId } from '../../platform/database/ids.ts'
import type { FieldAction } from '../field-types/field-type.ts'
import { fieldTypeOf, findFieldType } from '../field-types/field-types.ts'
import type { Action, Element, ListRule, ListValueId, Transition, Workflow } from '../tracker.ts'
import { pointer } from './problems.ts'
import {
  resolveElement,
  resolveElements,
  resolveValue,
  type DefinitionForm,
  type DefinitionContext,
  resolveGroups,
} from './definition-context.ts'
import { isSingleStaticList } from './read-semantics.ts'
import { isWebAddress } from './web-address.ts'
import type { ActionDocument, StepDocument, WorkflowDocument } from './schemas.ts'

/** A transition from one value to another, as documents of both modes describe it. */
interface TransitionStep {
  readonly from: string
  readonly to: string
  readonly fromPath: string
  readonly toPath: string
  readonly path: string
  readonly step: StepDocument
}

interface Surroundings {
  readonly form: DefinitionForm
  readonly reading: DefinitionContext
  readonly field: Element
  readonly isAdvanced: boolean
  readonly rules: readonly ListRule[]
}

const NEW = '@new'

/** Parses the workflow: the allowed transitions, with their conditions and actions. */
export function readWorkflow(
  given: WorkflowDocument,
  form: DefinitionForm,
  rules: readonly ListRule[],
  reading: DefinitionContext,
): Workflow | null {
  const isAdvanced = given.mode === 'advanced'
  const steps = isAdvanced ? transitionsOf(given) : statesOf(given)
  const other = isAdvanced ? 'states' : 'transitions'
  if (given[other] !== undefined) reading.problems.add(pointer('/workflow', other), 'parameter_conflict')
  const field = resolveElement(given.field, '/workflow/field', form, reading, isSingleStaticList)
  if (!field) return null
  const surroundings = { form, reading, field, isAdvanced, rules }
  if (!isAdvanced) requireOneState(given, reading)
  const seen = new Set<string>()
  const transitions = steps.flatMap((step): Transition[] => {
    const ends = readEnds(step, surroundings)
    if (!ends) return []
    const key = `${ends.from ?? NEW} ${ends.to}`
    if (seen.has(key)) reading.problems.add(step.fromPath, 'duplicate_entry', { rule: 'unique' })
    seen.add(key)
    return [readStep(step, ends, surroundings)]
  })
  return { field_id: field.id, is_used: given.used ?? true, is_advanced: isAdvanced, transitions }
}

function transitionsOf({ transitions = [] }: WorkflowDocument): TransitionStep[] {
  return transitions.map(({ from, to, ...step }, at) => {
    const path = pointer('/workflow/transitions', at)
    return { from, to, step, path, fromPath: pointer(path, 'from'), toPath: pointer(path, 'to') }
  })
}

function statesOf({ states = [] }: WorkflowDocument): TransitionStep[] {
  return states.flatMap(({ from, to, ...step }, at) => {
    const path = pointer('/workflow/states', at)
    return from.map((each, place) => {
      return { from: each, to, step, path, fromPath: pointer(path, 'from', place), toPath: pointer(path, 'to') }
    })
  })
}

function requireOneState({ states = [] }: WorkflowDocument, { problems }: DefinitionContext): void {
  for (const [at, { to }] of states.entries())
    if (states.findIndex((each) => each.to === to) < at)
      problems.add(pointer('/workflow/states', at, 'to'), 'duplicate_entry', { rule: 'unique' })
}

function readEnds(
  { from, to, fromPath, toPath }: TransitionStep,
  { field, reading }: Surroundings,
): { from: ListValueId | null; to: ListValueId } | undefined {
  const source = from === NEW ? undefined : resolveValue(from, fromPath, field, reading)
  const target = resolveValue(to, toPath, field, reading)
  if ((from !== NEW && !source) || !target) return undefined
  if (source?.id === target.id) reading.problems.add(fromPath, 'parameter_conflict')
  return { from: source?.id ?? null, to: target.id }
}

function readStep(
  { step, path }: TransitionStep,
  ends: { from: ListValueId | null; to: ListValueId },
  surroundings: Surroundings,
): Transition {
  const { form, reading } = surroundings
  const { groups = [], not_empty = [], comment = false } = step.conditions ?? {}
  const at = (member: string) => pointer(path, 'conditions', member)
  const stored = reading.stored?.workflow?.transitions.find((each) => each.from === ends.from && each.to === ends.to)
  return {
    id: stored?.id ?? toId(reading.newId('transition')),
    ...ends,
    groups: resolveGroups(groups, at('groups'), reading),
    not_empty: resolveElements(not_empty, at('not_empty'), form, reading, isWritable),
    needs_comment: comment,
    actions: keepIds(readActions(step.actions ?? [], pointer(path, 'actions'), surroundings), stored, reading),
  }
}

function isWritable({ type }: Element): boolean {
  return findFieldType(type)?.isWritable === true
}

type NewAction = Action extends infer One ? (One extends Action ? Omit<One, 'id'> : never) : never

function readActions(given: readonly ActionDocument[], path: string, surroundings: Surroundings): NewAction[] {
  const read = given.map((action, at) => readAction(action, pointer(path, at), surroundings))
  for (const [at, action] of read.entries()) {
    const isSame = (other: NewAction | undefined) =>
      other?.type === action?.type && (other?.type !== 'set_field_value' || isSameField(other, action))
    if (action && action.type !== 'run_job' && read.findIndex(isSame) < at)
      surroundings.reading.problems.add(pointer(path, at), 'duplicate_entry', { rule: 'unique' })
  }
  return read.filter((action) => action !== undefined)
}

function isSameField(one: NewAction, other: NewAction | undefined): boolean {
  return one.type === 'set_field_value' && other?.type === 'set_field_value' && one.field_id === other.field_id
}

function readAction(given: ActionDocument, path: string, surroundings: Surroundings): NewAction | undefined {
  const { form, reading, field, isAdvanced, rules } = surroundings
  const { problems } = reading
  if (given.type === 'set_field_value') return readSetting(given, path, surroundings)
  if (given.type === 'run_job') {
    if (!isWebAddress(given.job_url)) problems.add(pointer(path, 'job_url'), 'parameter_invalid', { rule: 'format' })
    return { type: given.type, job_url: given.job_url }
  }
  // Both describe a state; advanced mode has transitions only.
  if (isAdvanced) problems.add(pointer(path, 'type'), 'rule_violated', { cause: 'workflow_mode' })
  if (given.type === 'hidden_fieldsets') {
    const isFieldset = ({ type }: Element) => findFieldType(type)?.container === 'outer'
    const fieldset_ids = resolveElements(given.fieldsets, pointer(path, 'fieldsets'), form, reading, isFieldset)
    return { type: given.type, fieldset_ids }
  }
  const isBound = ({ id }: Element) => rules.some(({ source, target }) => source === id || target === id)
  const isFit = (each: Element) => isWritable(each) && each.id !== field.id && !isBound(each)
  return { type: given.type, field_ids: resolveElements(given.fields, pointer(path, 'fields'), form, reading, isFit) }
}

function readSetting(
  given: Extract<ActionDocument, { type: 'set_field_value' }>,
  path: string,
  { form, reading }: Surroundings,
): NewAction | undefined {
  const isSettable = ({ type }: Element) => findFieldType(type)?.action !== undefined
  const element = resolveElement(given.field, pointer(path, 'field'), form, reading, isSettable)
  const action = element && fieldTypeOf(element).action
  if (!action) return undefined
  const value = valueIn(action, given.value)
  if (value === undefined) reading.problems.add(pointer(path, 'value'), 'parameter_invalid', { rule: 'type' })
  return { type: given.type, field_id: element.id, value: value ?? null }
}

type Value = Extract<Action, { type: 'set_field_value' }>['value']

function valueIn(action: FieldAction, given: unknown): Value | undefined {
  if (action.kind === 'moment') return given === 'current' || given === '' || given === null ? given : undefined
  if (given === null || given === '') return null
  // XML sends numbers as text.
  const value = typeof given === 'string' && /^[+-]?\d+(\.\d+)?$/.test(given.trim()) ? Number(given) : given
  return typeof value === 'number' && action.fits(value) ? value : undefined
}

/** Reuses the id of a stored action that is equal, or else of the same type. */
function keepIds(actions: readonly NewAction[], stored: Transition | undefined, reading: DefinitionContext): Action[] {
  const left = [...(stored?.actions ?? [])]
  const take = (isIt: (old: Action) => boolean) => {
    const at = left.findIndex(isIt)
    return at === -1 ? undefined : left.splice(at, 1)[0]?.id
  }
  const same = actions.map((action) => take((old) => isDeepStrictEqual({ ...old, id: 0 }, { ...action, id: 0 })))
  return actions.map((action, at) => ({
    ...action,
    id: same[at] ?? take((old) => old.type === action.type) ?? toId(reading.newId('action')),
  }))
}
