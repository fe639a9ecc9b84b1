import { fold } from '../../accounts/login.ts'
import { isRecord } from '../../platform/wire/schema-shape.ts'
import { ValueFault, type WriteItem } from '../fields/field-type.ts'
import { NONE } from '../tracker.ts'
import type { Asked } from './bound-list.ts'

/** The values that an item of a plain list asks for, in whichever form it comes. */
export function askedValues({ bind_value_ids, value, byName }: WriteItem): Asked[] {
  const asked = byName ? askedByName : (id: unknown, path: string): Asked => ({ path, id })
  if (bind_value_ids !== undefined && bind_value_ids !== null)
    return listed(bind_value_ids, 'bind_value_ids').map(({ given, path }) => asked(given, path))
  if (!byName || value === undefined)
    throw new ValueFault('value_invalid', { path: 'bind_value_ids', rule: 'required', cause: 'value_missing' })
  if (!Array.isArray(value)) return [asked(value, 'value')]
  return listed(value, 'value').map(({ given, path }) => asked(given, path))
}

/** The same for an open list, where names always count, and objects may stand for values. */
export function askedOfOpenList({ bind_value_ids, value, byName }: WriteItem): Asked[] {
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

function askedByName(given: unknown, path: string): Asked {
  if (typeof given !== 'string') return { path, id: given }
  return given.trim() === '' ? { path, id: null } : { path, name: given, id: given }
}

// A value that was read and is sent back has all of them: its id says most.
const NAMES = ['label', 'username', 'email', 'short_name'] as const

function askedOpenly(given: unknown, path: string): Asked {
  if (typeof given === 'string') return openName(given, path)
  if (!isRecord(given)) return { path, id: given }
  const { id } = given
  if (id !== undefined && id !== null) return { path, id }
  const name = NAMES.map((each) => given[each]).find((each) => typeof each === 'string')
  if (typeof name === 'string') return openName(name, path)
  // The person who stands for nobody in an answer.
  if (id === null) return { path, id }
  throw new ValueFault('value_invalid', { path, rule: 'required', cause: 'value_missing' })
}

function openName(name: string, path: string): Asked {
  if (name.trim() !== '') return { path, name }
  throw new ValueFault('value_invalid', { path, rule: 'min_length', cause: 'value_missing' })
}

function listed(given: unknown, path: string): { given: unknown; path: string }[] {
  if (!Array.isArray(given)) throw new ValueFault('value_invalid', { path, rule: 'type', cause: 'not_an_array' })
  return given.map((each: unknown, index) => ({ given: each, path: `${path}[${index}]` }))
}

/** Whether it is one of the ways to say that there is no value. */
export function isNone(id: unknown): boolean {
  return id === null || id === '' || [0, NONE].includes(numberIn(id) ?? -1)
}

/** The number that a client means: JSON numbers, or their digits. */
export function numberIn(given: unknown): number | undefined {
  const number = typeof given === 'string' && /^\d{1,16}$/.test(given.trim()) ? Number(given) : given
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}

/** Those of the values that the name fits: where it is exact, they alone. */
export function named<T extends { readonly label: string }>(values: readonly T[], name: string): readonly T[] {
  const wanted = name.trim()
  const exact = values.filter(({ label }) => label.trim() === wanted)
  return exact.length > 0 ? exact : values.filter(({ label }) => isCalled(label, wanted))
}

/** Whether it is the same name, whatever its case. */
export function isCalled(label: string, name: string): boolean {
  return fold(label.trim()) === fold(name.trim())
}
