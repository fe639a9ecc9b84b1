import { ApiError } from '../../platform/messages/errors.ts'
import { fieldTypeOf } from '../field-types/field-types.ts'
import type { LoadedTracker } from '../load-tracker.ts'
import type { Action, Element, FieldId, Transition, Workflow } from '../tracker.ts'
import { parseFieldIds } from './transition-conditions.ts'

interface GivenAction {
  readonly id?: number | null
  readonly type: Action['type']
  readonly field_type?: string
  readonly field_id?: number
  readonly value?: number | string | null
  readonly job_url?: string
  readonly field_ids?: readonly number[]
  readonly fieldset_ids?: readonly number[]
}

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never
/** `id` null: a new action. */
type ReadAction = WithoutId<Action> & { readonly id: Action['id'] | null }

/** Parses the actions of a request and checks them against the tracker and each other. */
export function readActions(
  tracker: LoadedTracker,
  workflow: Workflow,
  { actions: stored }: Transition,
  given: readonly GivenAction[],
): ReadAction[] {
  const taken = new Set<string>()
  const claim = (what: string, path: string) => {
    if (taken.has(what)) throw new ApiError('duplicate_entry', { path, rule: 'unique', cause: 'duplicate_action' })
    taken.add(what)
  }
  return given.map((action, index) => {
    const path = `post_actions[${index}]`
    const known = stored.find(({ id, type }) => id === action.id && type === action.type)
    if (action.id != null && !known) throw new ApiError('reference_unknown', { path: `${path}.id`, rule: 'exists' })
    if (known) claim(`action ${known.id}`, `${path}.id`)
    return { ...readAction(tracker, workflow, action, path, claim), id: known?.id ?? null }
  })
}

/** `claim` refuses targets that an earlier action uses. */
function readAction(
  tracker: LoadedTracker,
  workflow: Workflow,
  action: GivenAction,
  path: string,
  claim: (what: string, path: string) => void,
): WithoutId<Action> {
  const { type } = action
  if (type === 'run_job') return { type, job_url: readUrl(action.job_url, `${path}.job_url`) }
  if (type === 'set_field_value') {
    const field = settableField(tracker, action, path)
    claim(`field ${field.id}`, `${path}.field_id`)
    return { type, field_id: field.id, value: readValue(field, action.value, `${path}.value`) }
  }
  requireSimple(workflow, path)
  claim(type, `${path}.type`)
  return type === 'frozen_fields'
    ? { type, field_ids: readFrozen(tracker, workflow, action.field_ids, `${path}.field_ids`) }
    : { type, fieldset_ids: readFieldsets(tracker, action.fieldset_ids, `${path}.fieldset_ids`) }
}

/** These actions describe a state, and only simple mode has state actions. */
function requireSimple({ is_advanced }: Workflow, path: string): void {
  if (is_advanced) throw new ApiError('rule_violated', { path: `${path}.type`, cause: 'workflow_mode' })
}

function settableField({ elements }: LoadedTracker, { field_id, field_type }: GivenAction, path: string): Element {
  if (field_id === undefined) throw missing(`${path}.field_id`)
  const field = elements.find((element) => element.id === field_id && element.is_used)
  if (!field) throw new ApiError('reference_unknown', { path: `${path}.field_id`, rule: 'exists' })
  if (!fieldTypeOf(field).action) throw unsuitable(`${path}.field_id`)
  if (field_type !== undefined && field_type !== field.type)
    throw new ApiError('parameter_not_allowed', {
      path: `${path}.field_type`,
      rule: 'one_of',
      allowed: [field.type],
    })
  return field
}

function readValue(field: Element, value: GivenAction['value'], path: string): number | 'current' | '' | null {
  if (value === undefined) throw missing(path)
  if (value === null) return null
  const { action } = fieldTypeOf(field)
  if (action?.kind === 'moment') {
    if (value === 'current' || value === '') return value
    throw new ApiError('parameter_not_allowed', { path, rule: 'one_of', allowed: ['current', '', null] })
  }
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number === 'number' && action?.fits(number)) return number
  throw new ApiError('parameter_invalid', { path, rule: 'type' })
}

function readUrl(url: string | undefined, path: string): string {
  if (url === undefined) throw missing(path)
  const protocol = URL.parse(url)?.protocol
  if (protocol === 'http:' || protocol === 'https:') return url
  throw new ApiError('parameter_invalid', { path, rule: 'format' })
}

function readFrozen(
  tracker: LoadedTracker,
  { field_id }: Workflow,
  ids: readonly number[] | undefined,
  path: string,
): FieldId[] {
  if (ids === undefined) throw missing(path)
  const fields = parseFieldIds(tracker, ids, path)
  ids.forEach((id, index) => {
    if (id === field_id) throw unsuitable(`${path}[${index}]`)
    const rules = tracker.rules.lists.filter(({ source, target }) => source === id || target === id)
    const others = new Set(rules.map(({ source, target }) => (source === id ? target : source)))
    if (others.size === 0) return
    throw new ApiError('rule_violated', {
      path: `${path}[${index}]`,
      cause: 'field_in_use',
      used_by: [...others].map((other) => ({
        type: 'list_rule',
        id: other,
        label: tracker.byId.get(other)?.label ?? '',
      })),
    })
  })
  return fields
}

function readFieldsets({ elements }: LoadedTracker, ids: readonly number[] | undefined, path: string): FieldId[] {
  if (ids === undefined) throw missing(path)
  const fieldsets = ids.map((id, index) => {
    const element = elements.find((each) => each.id === id && each.is_used)
    if (!element) throw new ApiError('reference_unknown', { path: `${path}[${index}]`, rule: 'exists' })
    if (fieldTypeOf(element).container !== 'outer') throw unsuitable(`${path}[${index}]`)
    return element.id
  })
  return [...new Set(fieldsets)]
}

function missing(path: string): ApiError {
  return new ApiError('parameter_required', { path, rule: 'required' })
}

/** The reference exists, but does not support this action. */
function unsuitable(path: string): ApiError {
  return new ApiError('parameter_not_allowed', { path, rule: 'one_of' })
}
