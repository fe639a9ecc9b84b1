import type { TSchema } from 'typebox'
import { ApiError } from '../words/errors.ts'
import { isRecord } from './schema-shape.ts'

/** A field whose entry can be picked by its name or its id. */
export interface FieldName {
  readonly id: number
  readonly name: string
}

/** What was chosen of something: all of it, or some members, each with what was chosen of it. */
export type Choice = 'all' | ReadonlyMap<string, Choice>

const MOST = 100
const ALWAYS = ['id', 'uri']
const EVERY = '*'

/** Reads `id,title,tracker.id,values.severity` by the schema of what it chooses from. What is empty chooses all. */
export function readChoice(text: string, schema: TSchema): Choice {
  const names = text.split(',').map((name) => name.trim())
  if (names.every((name) => name === '')) return 'all'
  if (names.length > MOST)
    throw new ApiError('parameter_out_of_range', {
      path: 'fields',
      rule: 'maximum',
      allowed: { maximum: MOST },
      params: { given: names.length },
    })
  for (const name of names) requireKnown(schema, name.split('.'), [])
  return toChoice([...ALWAYS.filter((name) => membersOf(schema).has(name)).map((name) => [name]), ...names.map(split)])
}

/**
 * Refuses names of fields that are not among the readable ones: whether the others exist, nobody is told. A readable
 * field that has no value here is no fault.
 */
export function requireReadable(choice: Choice, schema: TSchema, fields: readonly FieldName[] = [], before = ''): void {
  if (choice === 'all') return
  for (const [member, deeper] of choice) {
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

/** The chosen part of a value that the schema describes. Lists are chosen from element by element. */
export function choose(value: unknown, choice: Choice, schema: TSchema, fields: readonly FieldName[] = []): unknown {
  if (choice === 'all') return value
  if (Array.isArray(value)) return value.map((each) => choose(each, choice, schema, fields))
  if (!isRecord(value)) return value
  const members = membersOf(schema)
  const chosen = Object.entries(value).flatMap(([name, part]) => {
    const deeper = choice.get(name)
    if (deeper === undefined) return []
    const inner = members.get(name) ?? {}
    return [[name, isKeyedByField(inner) ? pick(part, deeper, fields) : choose(part, deeper, inner, fields)]]
  })
  return Object.fromEntries(chosen)
}

/** The fields whose entries were chosen of a member that has one for each field. */
export function pickedOf<Field extends FieldName>(
  choice: Choice,
  member: string,
  fields: readonly Field[],
): readonly Field[] {
  const deeper = choice === 'all' ? choice : choice.get(member)
  if (deeper === undefined) return []
  if (deeper === 'all' || deeper.has(EVERY)) return fields
  return fields.filter(({ id, name }) => deeper.has(name) || deeper.has(String(id)))
}

/** Entries that name their field by `field_id`, or members that are named like it. */
function pick(part: unknown, choice: Choice, fields: readonly FieldName[]): unknown {
  if (choice === 'all' || choice.has(EVERY)) return part
  const picked = pickedOf(new Map([[EVERY, choice]]), EVERY, fields)
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
  // Which fields there are, only the answer knows.
  if (isKeyedByField(inner) && deeper.length === 1) return
  requireKnown(inner, deeper, [...before, name])
}

function namesIn(schema: TSchema, before: readonly string[]): string[] {
  return [...membersOf(schema).keys()].map((name) => [...before, name].join('.'))
}

function unknown(given: string, allowed: readonly string[]): ApiError {
  return new ApiError('parameter_not_allowed', { path: 'fields', rule: 'one_of', params: { given }, allowed })
}

function toChoice(paths: readonly (readonly string[])[]): Choice {
  const groups = Map.groupBy(paths, ([first = '']) => first)
  return new Map(
    [...groups].map(([name, group]) => {
      const deeper = group.map(([, ...rest]) => rest)
      return [name, deeper.some((rest) => rest.length === 0) ? 'all' : toChoice(deeper)]
    }),
  )
}

function split(name: string): string[] {
  return name.split('.')
}

const known = new WeakMap<TSchema, ReadonlyMap<string, TSchema>>()

/** The members that something may have: of an object, of each element of a list, of any of several forms. */
function membersOf(schema: TSchema): ReadonlyMap<string, TSchema> {
  const found = known.get(schema) ?? new Map(formsOf(schema).flatMap((form) => schemasIn(form['properties'])))
  known.set(schema, found)
  return found
}

/** A list of which each entry says to which field it belongs, or a map by the names of fields. */
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
