import type { TSchema } from 'typebox'
import { ApiError } from '../messages/errors.ts'
import { nearestName } from './nearest.ts'
import { isRecord } from './schema-shape.ts'

/** A field whose entry can be selected by name or id. */
export interface SelectableField {
  readonly id: number
  readonly name: string
}

/** The selected part of a value: all, or some members, each with its own selection. */
export type FieldSelection = 'all' | ReadonlyMap<string, FieldSelection>

const MAX_SELECTED_NAMES = 100
const ALWAYS = ['id', 'uri']
const EVERY = '*'

/** Parses `id,title,tracker.id,values.severity` by the schema of the response. An empty selection means all. */
export function parseFieldSelection(text: string, schema: TSchema): FieldSelection {
  const names = text.split(',').map((name) => name.trim())
  if (names.every((name) => name === '')) return 'all'
  if (names.length > MAX_SELECTED_NAMES)
    throw new ApiError('parameter_out_of_range', {
      path: 'fields',
      rule: 'maximum',
      allowed: { maximum: MAX_SELECTED_NAMES },
      params: { given: names.length },
    })
  for (const name of names) requireKnown(schema, name.split('.'), [])
  return toFieldSelection([
    ...ALWAYS.filter((name) => membersOf(schema).has(name)).map((name) => [name]),
    ...names.map(split),
  ])
}

/**
 * Refuses names of fields that are not readable, without revealing whether they exist. A readable field without a value
 * is valid.
 */
export function requireReadable(
  selection: FieldSelection,
  schema: TSchema,
  fields: readonly SelectableField[] = [],
  before = '',
): void {
  if (selection === 'all') return
  for (const [member, deeper] of selection) {
    const inner = membersOf(schema).get(member)
    if (inner === undefined || deeper === 'all') continue
    const path = `${before}${member}.`
    if (!isKeyedByField(inner)) {
      requireReadable(deeper, inner, fields, path)
      continue
    }
    const known = [EVERY, ...fields.map(({ name }) => name)]
    for (const name of deeper.keys())
      if (!known.includes(name) && !fields.some(({ id }) => String(id) === name))
        throw unknown(
          path + name,
          known.map((each) => path + each),
        )
  }
}

/** The selected part of a value that matches the schema. Lists are cut element by element. */
export function selectMembers(
  value: unknown,
  selection: FieldSelection,
  schema: TSchema,
  fields: readonly SelectableField[] = [],
): unknown {
  if (selection === 'all') return value
  if (Array.isArray(value)) return value.map((each) => selectMembers(each, selection, schema, fields))
  if (!isRecord(value)) return value
  const members = membersOf(schema)
  const chosen = Object.entries(value).flatMap(([name, part]) => {
    const deeper = selection.get(name)
    if (deeper === undefined) return []
    const inner = members.get(name) ?? {}
    return [[name, isKeyedByField(inner) ? pick(part, deeper, fields) : selectMembers(part, deeper, inner, fields)]]
  })
  return Object.fromEntries(chosen)
}

/** The selected fields of a member with one entry per field. */
export function selectedFields<Field extends SelectableField>(
  selection: FieldSelection,
  member: string,
  fields: readonly Field[],
): readonly Field[] {
  const deeper = selection === 'all' ? selection : selection.get(member)
  if (deeper === undefined) return []
  if (deeper === 'all' || deeper.has(EVERY)) return fields
  return fields.filter(({ id, name }) => deeper.has(name) || deeper.has(String(id)))
}

/** Selects entries by `field_id`, or members by field name. */
function pick(part: unknown, selection: FieldSelection, fields: readonly SelectableField[]): unknown {
  if (selection === 'all' || selection.has(EVERY)) return part
  const picked = selectedFields(new Map([[EVERY, selection]]), EVERY, fields)
  const [ids, names] = [new Set(picked.map(({ id }) => id)), new Set(picked.map(({ name }) => name))]
  if (Array.isArray(part)) return part.filter((entry) => ids.has(fieldOf(entry)))
  return isRecord(part) ? Object.fromEntries(Object.entries(part).filter(([name]) => names.has(name))) : part
}

function fieldOf(entry: unknown): number {
  return isRecord(entry) ? Number(entry['field_id']) : Number.NaN
}

function requireKnown(schema: TSchema, [name = '', ...deeper]: readonly string[], before: readonly string[]): void {
  const inner = membersOf(schema).get(name)
  if (inner === undefined) throw unknown([...before, name, ...deeper].join('.'), namesIn(schema, before))
  if (deeper.length === 0) return
  // The fields are known only with the response.
  if (isKeyedByField(inner) && deeper.length === 1) return
  requireKnown(inner, deeper, [...before, name])
}

function namesIn(schema: TSchema, before: readonly string[]): string[] {
  return [...membersOf(schema).keys()].map((name) => [...before, name].join('.'))
}

function unknown(given: string, allowed: readonly string[]): ApiError {
  const before = given.slice(0, given.lastIndexOf('.') + 1)
  const inside = allowed.filter((name) => name.startsWith(before)).map((name) => name.slice(before.length))
  const closest = nearestName(given.slice(before.length), inside)
  const nearest = closest === undefined ? {} : { nearest: before + closest }
  return new ApiError('parameter_not_allowed', {
    path: 'fields',
    rule: 'one_of',
    params: { given },
    allowed,
    ...nearest,
  })
}

function toFieldSelection(paths: readonly (readonly string[])[]): FieldSelection {
  const groups = Map.groupBy(paths, ([first = '']) => first)
  return new Map(
    [...groups].map(([name, group]) => {
      const deeper = group.map(([, ...rest]) => rest)
      return [name, deeper.some((rest) => rest.length === 0) ? 'all' : toFieldSelection(deeper)]
    }),
  )
}

function split(name: string): string[] {
  return name.split('.')
}

const known = new WeakMap<TSchema, ReadonlyMap<string, TSchema>>()

/** The members of an object, of the elements of a list, or of any of several variants. */
function membersOf(schema: TSchema): ReadonlyMap<string, TSchema> {
  const found = known.get(schema) ?? new Map(formsOf(schema).flatMap((form) => schemasIn(form['properties'])))
  known.set(schema, found)
  return found
}

/** A list whose entries have a `field_id`, or a map by field name. */
function isKeyedByField(schema: TSchema): boolean {
  return alternatives(schema).some((form) =>
    'items' in form ? membersOf(form).has('field_id') : isRecord(form['patternProperties']),
  )
}

function formsOf(schema: TSchema): Record<string, unknown>[] {
  return alternatives(schema).flatMap((form) => (isRecord(form['items']) ? formsOf(form['items']) : [form]))
}

function alternatives(schema: unknown): Record<string, unknown>[] {
  if (!isRecord(schema)) return []
  return Array.isArray(schema['anyOf']) ? schema['anyOf'].flatMap(alternatives) : [schema]
}

function schemasIn(properties: unknown): [name: string, TSchema][] {
  return isRecord(properties)
    ? Object.entries(properties).map(([name, each]) => [name, isRecord(each) ? each : {}])
    : []
}
