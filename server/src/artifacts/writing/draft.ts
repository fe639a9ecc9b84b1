import { ApiError } from '../../platform/words/errors.ts'
import type { Problem, Reason } from '../../platform/words/reasons.ts'
import { type Reading, ValueFault, type Writing } from '../../trackers/fields/field-type.ts'
import { fieldTypeOf } from '../../trackers/fields/field-types.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { Element, FieldId, StoredValues } from '../../trackers/tracker.ts'
import { frozenFields } from '../../trackers/workflow/frozen-fields.ts'
import { named } from '../../trackers/workflow/list-values.ts'
import { missingTransition } from '../../trackers/workflow/transition.ts'
import { readValue } from '../reading/represent-artifact.ts'
import type { GivenItem, GivenItems } from './items.ts'
import { isReplay } from './replay.ts'

/** What a write would store, by field. */
export type Changes = ReadonlyMap<FieldId, unknown>

interface Drafting {
  readonly sight: Sight
  readonly given: GivenItems
  /** Undefined: it is made now. */
  readonly stored: StoredValues | undefined
  /** How the values are shown to this caller now, to recognise what is only sent back. */
  readonly reading: Reading | undefined
  /** Nothing is demanded, and no step of the workflow is taken. */
  readonly isFree?: boolean
  /** What it begins with, where nothing is sent: of a copy, what the other one has. */
  readonly beginning?: Changes | undefined
  writing(element: Element): Writing
}

/**
 * Reads every value that was sent, checks each by itself, and fills in defaults. All problems are told at once, in the
 * order of the form.
 */
export async function draftChanges(drafting: Drafting): Promise<Changes> {
  const { sight, given, stored, isFree = false } = drafting
  const byField = new Map(given.items.map((item) => [item.element.id, item]))
  const frozen = stored ? frozenFields(sight.tracker, stored) : new Set<FieldId>()
  const changes = new Map<FieldId, unknown>()
  const problems: Problem[] = []
  for (const element of sight.tracker.elements) {
    const type = fieldTypeOf(element)
    if (!element.is_used || type.kind !== 'field') continue
    const item = byField.get(element.id)
    const isFrozen = frozen.has(element.id)
    try {
      const value = item ? await readItem(drafting, item, isFrozen) : await valueOfNothing(drafting, element, isFrozen)
      if (value !== UNCHANGED) changes.set(element.id, value)
    } catch (error) {
      if (!(error instanceof ValueFault)) throw error
      problems.push(problemOf(error, element, item))
    }
  }
  const wrong = isFree ? undefined : missingTransition(sight, stored, changes)
  if (wrong) problems.push({ ...wrong, path: pathOfTransition(byField, wrong.field_id) })
  const rank = new Map(sight.tracker.elements.map(({ id }, at) => [Number(id), at]))
  const rankOf = ({ field_id = 0 }: Problem) => rank.get(field_id) ?? 0
  refuse([...given.problems, ...problems.toSorted((one, other) => rankOf(one) - rankOf(other))])
  return changes
}

const UNCHANGED = Symbol('unchanged')
/** Where an item says its value. */
const WRITE_KEYS = ['bind_value_ids', 'links', 'all_links', 'manual_value', 'value', 'add', 'remove'] as const

/** The value to store; `UNCHANGED`: what is stored stays. */
async function readItem(drafting: Drafting, given: GivenItem, isFrozen: boolean): Promise<unknown> {
  const { stored, reading, isFree } = drafting
  const { element, raw } = given
  const type = fieldTypeOf(element)
  const before = stored?.[String(element.id)]
  if (reading && isReplay(raw, readValue(element, before, reading))) return UNCHANGED
  if (!type.write) return UNCHANGED
  const value = await readGiven(drafting, given)
  const isEmpty = type.isEmpty?.(value) === true
  const isSame = before === undefined ? stored !== undefined && isEmpty : type.isSame?.(before, value)
  if (!isSame && !mayWrite(drafting, element)) throw notWritable(drafting)
  if (isEmpty && element.is_required && !isFree)
    throw new ValueFault('field_required', {
      rule: 'required',
      path: WRITE_KEYS.find((key) => raw[key] !== undefined) ?? 'value',
    })
  if (isSame) return UNCHANGED
  if (isFrozen) throw new ValueFault('rule_violated', { cause: 'field_frozen' })
  return value
}

const RULES: ReadonlySet<Reason> = new Set(['value_not_allowed', 'not_found'])

/** To whom may not change it anyway, it does not matter which rules of its type the value would break. */
async function readGiven(drafting: Drafting, { element, item }: GivenItem): Promise<unknown> {
  const type = fieldTypeOf(element)
  try {
    return await type.write?.(item, element, drafting.writing(element))
  } catch (error) {
    const isRule = error instanceof ValueFault && RULES.has(error.reason)
    throw isRule && !mayWrite(drafting, element) ? notWritable(drafting) : error
  }
}

async function valueOfNothing(drafting: Drafting, element: Element, isFrozen: boolean): Promise<unknown> {
  const { sight, stored, isFree } = drafting
  const type = fieldTypeOf(element)
  const demands = element.is_required && !isFree
  if (stored) {
    // Nobody can be asked for what nobody may give in this state.
    const isMissing = demands && !isFrozen && sight.mayUpdate(element) && type.isEmpty?.(stored[String(element.id)])
    if (isMissing) throw new ValueFault('field_required', { rule: 'required' })
    return UNCHANGED
  }
  const { beginning } = drafting
  const value = beginning?.has(element.id)
    ? beginning.get(element.id)
    : await type.defaultFor?.(element, drafting.writing(element))
  const isEmpty = value === undefined || type.isEmpty?.(value) === true
  if (isEmpty && demands && sight.maySubmit(element)) throw new ValueFault('field_required', { rule: 'required' })
  return value === undefined ? UNCHANGED : value
}

function mayWrite({ sight, stored }: Drafting, element: Element): boolean {
  // What the platform alone fills says so itself.
  return !fieldTypeOf(element).isWritable || (stored ? sight.mayUpdate(element) : sight.maySubmit(element))
}

function notWritable({ stored }: Drafting): ValueFault {
  return new ValueFault('field_not_writable', { cause: stored ? 'field_not_updatable' : 'field_not_submittable' })
}

function problemOf({ reason, details }: ValueFault, element: Element, item: GivenItem | undefined): Problem {
  const { path: within, ...rest } = details
  const path = item && (within === undefined ? item.path : joined(item.path, within))
  return { reason, ...(path !== undefined && { path }), ...rest, ...named(element) }
}

function joined(path: string, within: string): string {
  return within.startsWith('[') ? `${path}${within}` : `${path}.${within}`
}

function pathOfTransition(items: ReadonlyMap<number, GivenItem>, field: number | undefined): string {
  const item = items.get(field ?? 0)
  if (!item) return 'values'
  return item.item.bind_value_ids === undefined ? `${item.path}.value` : `${item.path}.bind_value_ids[0]`
}

/** Throws the problems, the first of them as the reason. */
export function refuse(problems: readonly Problem[]): void {
  const [first] = problems
  if (!first) return
  const { reason, field_id: _field, name: _name, label: _label, ...details } = first
  throw new ApiError<Reason>(reason, { ...details, all: problems })
}
