import { fold } from '../../accounts/login.ts'
import { isRecord } from '../../platform/wire/schema-shape.ts'
import { ValueFault, type WriteItem } from '../field-types/field-type.ts'
import { NONE_VALUE_ID } from '../tracker.ts'
import type { ListInput } from './bound-list.ts'

/** The values that an item of a closed list requests, in any of the accepted forms. */
export function parseListInput({ bind_value_ids, value, byName }: WriteItem): ListInput[] {
  const asked = byName ? askedByName : (id: unknown, path: string): ListInput => ({ path, id })
  if (bind_value_ids !== undefined && bind_value_ids !== null)
    return listed(bind_value_ids, 'bind_value_ids').map(({ given, path }) => asked(given, path))
  if (!byName || value === undefined)
    throw new ValueFault('value_invalid', { path: 'bind_value_ids', rule: 'required', cause: 'value_missing' })
  if (!Array.isArray(value)) return [asked(value, 'value')]
  return listed(value, 'value').map(({ given, path }) => asked(given, path))
}

/** The same for an open list, where names are always resolved and values may be objects. */
export function parseOpenListInput({ bind_value_ids, value, byName }: WriteItem): ListInput[] {
  const objects = isRecord(value) ? value['bind_value_objects'] : undefined
  if (objects !== undefined)
    return listed(objects, 'value.bind_value_objects').map(({ given, path }) => askedOpenly(given, path))
  if (bind_value_ids !== undefined && bind_value_ids !== null)
    return listed(bind_value_ids, 'bind_value_ids').map(({ given, path }) => askedOpenly(given, path))
  if (!byName || value === undefined || isRecord(value))
    throw new ValueFault('value_invalid', { path: 'bind_value_ids', rule: 'required', cause: 'value_missing' })
  if (value === null || value === '') return []
  if (!Array.isArray(value)) return [askedOpenly(value, 'value')]
  return listed(value, 'value').map(({ given, path }) => askedOpenly(given, path))
}

function askedByName(given: unknown, path: string): ListInput {
  if (typeof given !== 'string') return { path, id: given }
  return given.trim() === '' ? { path, id: null } : { path, name: given, id: given }
}

// A value that was read and sent back has all of these members; its id takes precedence.
const NAMES = ['label', 'username', 'email', 'short_name'] as const

function askedOpenly(given: unknown, path: string): ListInput {
  if (typeof given === 'string') return openName(given, path)
  if (!isRecord(given)) return { path, id: given }
  const { id } = given
  if (id !== undefined && id !== null) return { path, id }
  const name = NAMES.map((each) => given[each]).find((each) => typeof each === 'string')
  if (typeof name === 'string') return openName(name, path)
  // The anonymous user, which responses use as the empty value.
  if (id === null) return { path, id }
  throw new ValueFault('value_invalid', { path, rule: 'required', cause: 'value_missing' })
}

function openName(name: string, path: string): ListInput {
  if (name.trim() !== '') return { path, name }
  throw new ValueFault('value_invalid', { path, rule: 'min_length', cause: 'value_missing' })
}

function listed(given: unknown, path: string): { given: unknown; path: string }[] {
  if (!Array.isArray(given)) throw new ValueFault('value_invalid', { path, rule: 'type', cause: 'not_an_array' })
  return given.map((each: unknown, index) => ({ given: each, path: `${path}[${index}]` }))
}

/** Whether the id is one of the representations of None. */
export function isNone(id: unknown): boolean {
  return id === null || id === '' || [0, NONE_VALUE_ID].includes(parseClientNumber(id) ?? -1)
}

/** The number of a client value: a JSON number or its digits. */
export function parseClientNumber(given: unknown): number | undefined {
  const number = typeof given === 'string' && /^\d{1,16}$/.test(given.trim()) ? Number(given) : given
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}

/** The values that match the name: the exact matches if there are any, otherwise those that differ in case. */
export function matchLabels<T extends { readonly label: string }>(values: readonly T[], name: string): readonly T[] {
  const wanted = name.trim()
  const exact = values.filter(({ label }) => label.trim() === wanted)
  return exact.length > 0 ? exact : values.filter(({ label }) => equalsIgnoringCase(label, wanted))
}

export function equalsIgnoringCase(label: string, name: string): boolean {
  return fold(label.trim()) === fold(name.trim())
}
