import { toId } from '../../platform/database/ids.ts'
import {
  type DateRule,
  type Element,
  type FieldId,
  type ListRule,
  type ListValueId,
  NONE_VALUE_ID,
  type Trigger,
} from '../tracker.ts'
import { findFieldType } from '../field-types/field-types.ts'
import { pointer } from './problems.ts'
import { resolveElement, resolveValue, type DefinitionForm, type DefinitionContext } from './definition-context.ts'
import type { RulesDocument, TriggerDocument } from './schemas.ts'

const NO_VALUE = '@none'
const isDate = ({ type }: Element) => findFieldType(type)?.dateOf !== undefined
const isClosedList = ({ type, bind }: Element) => findFieldType(type)?.list !== 'open' && bind?.type === 'static'
const isStaticList = ({ bind }: Element) => bind?.type === 'static'

export function readDateRules(
  given: NonNullable<RulesDocument['dates']>,
  form: DefinitionForm,
  reading: DefinitionContext,
): DateRule[] {
  return given.flatMap(({ source, comparator, target }, at) => {
    const path = pointer('/rules/dates', at)
    const one = resolveElement(source, pointer(path, 'source'), form, reading, isDate)
    const other = resolveElement(target, pointer(path, 'target'), form, reading, isDate)
    if (one && one === other) reading.problems.add(pointer(path, 'target'), 'parameter_conflict')
    return one && other ? [{ source: one.id, comparator, target: other.id }] : []
  })
}

/** Parses list rules: the target values allowed for each source value. */
export function readListRules(
  given: NonNullable<RulesDocument['lists']>,
  form: DefinitionForm,
  reading: DefinitionContext,
): ListRule[] {
  const pairs = new Map<FieldId, FieldId>() // Maps target to source.
  return given.flatMap(({ source, target, allow }, at) => {
    const path = pointer('/rules/lists', at)
    const one = resolveElement(source, pointer(path, 'source'), form, reading, isClosedList)
    const other = resolveElement(target, pointer(path, 'target'), form, reading, isClosedList)
    if (!one || !other) return []
    // A field depends on at most one other field, without cycles.
    if (pairs.has(other.id) || leadsTo(pairs, one.id, other.id))
      reading.problems.add(pointer(path, 'target'), 'parameter_conflict')
    else pairs.set(other.id, one.id)
    return Object.entries(allow).flatMap(([key, targets]) => {
      const place = pointer(path, 'allow', key)
      const source_value = readValue(key, place, one, reading)
      return [...new Set(targets)].flatMap((each, index) => {
        const target_value = readValue(each, pointer(place, index), other, reading)
        if (source_value === undefined || target_value === undefined) return []
        return { source: one.id, source_value, target: other.id, target_value }
      })
    })
  })
}

/** Whether a field depends on another, directly or transitively. */
function leadsTo(pairs: ReadonlyMap<FieldId, FieldId>, from: FieldId, to: FieldId): boolean {
  for (let each: FieldId | undefined = from; each !== undefined; each = pairs.get(each)) if (each === to) return true
  return false
}

function readValue(
  key: string,
  path: string,
  element: Element,
  reading: DefinitionContext,
): ListValueId | typeof NONE_VALUE_ID | undefined {
  return key === NO_VALUE ? NONE_VALUE_ID : resolveValue(key, path, element, reading)?.id
}

/** Parses triggers: rules that change an artifact when its children in other trackers change. */
export function readTriggers(
  given: readonly TriggerDocument[],
  form: DefinitionForm,
  reading: DefinitionContext,
): Trigger[] {
  const taken = new Set<number>()
  return given.flatMap((trigger, at) => {
    const path = pointer('/triggers', at)
    const field = resolveElement(trigger.target.field, pointer(path, 'target', 'field'), form, reading, isStaticList)
    const value = field && resolveValue(trigger.target.value, pointer(path, 'target', 'value'), field, reading)
    const when = readWhen(trigger.when, pointer(path, 'when'), reading)
    if (!value) return []
    const isSame = (old: Trigger) => old.field_id === field.id && old.value === value.id && !taken.has(old.id)
    const id = reading.stored?.triggers.find(isSame)?.id ?? toId<Trigger['id']>(reading.newId('trigger'))
    taken.add(id)
    return { id, field_id: field.id, value: value.id, condition: trigger.condition, when }
  })
}

function readWhen(given: TriggerDocument['when'], path: string, reading: DefinitionContext): Trigger['when'] {
  const { world, problems } = reading
  if (given.length === 0) problems.add(path, 'parameter_out_of_range', { rule: 'min_length', allowed: { minimum: 1 } })
  const seen = new Set<string>()
  return given.flatMap(({ tracker: name, field: fieldName, value: key }, at) => {
    const place = pointer(path, at)
    const tracker = world.trackerNamed(name)
    if (!tracker || tracker.project_id !== world.project_id) {
      problems.add(pointer(place, 'tracker'), 'reference_unknown', { rule: 'exists' })
      return []
    }
    if (seen.has(tracker.name)) problems.add(pointer(place, 'tracker'), 'duplicate_entry', { rule: 'unique' })
    seen.add(tracker.name)
    const field = tracker.elements.find((each) => each.name === fieldName && each.is_used)
    if (!field) problems.add(pointer(place, 'field'), 'reference_unknown', { rule: 'exists' })
    const value = field && resolveValue(key, pointer(place, 'value'), field, reading)
    return value ? { tracker_id: tracker.id, field_id: field.id, value: value.id } : []
  })
}
