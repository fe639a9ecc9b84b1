import { findSchemaFaults } from '../../platform/wire/schema-faults.ts'
import { isRecord, shapeOf } from '../../platform/wire/schema-shape.ts'
import { type Located, pointer } from './problems.ts'
import { isDefinition, TrackerDefinition } from './schemas.ts'

/** A document that matches the schema, with the problems that were found. */
export interface ValidatedDocument {
  readonly document: TrackerDefinition | undefined
  readonly problems: readonly Located[]
}

/**
 * Validates a document. Members that do not match the schema are reported and removed, so that the rest can be parsed
 * and checked too. If that is impossible, `document` is undefined.
 */
export function validateDocument(given: unknown): ValidatedDocument {
  if (isDefinition(given) && !isSuspect(given)) return { document: given, problems: [] }
  const faults = findSchemaFaults(shapeOf(TrackerDefinition), given, '')
  const places = faults.map(({ path }) => membersOf(path))
  const problems = faults.map((fault, at) => ({ ...fault, path: pointer('', ...(places[at] ?? [])) }))
  const rest = places.reduce<unknown>(without, given)
  return { document: isDefinition(rest) ? rest : undefined, problems }
}

/**
 * Prefilter: U+0000 and lone surrogates, which cannot be stored, appear as escapes in JSON. The exact check follows.
 */
function isSuspect(given: TrackerDefinition): boolean {
  return /\\u(?:0000|d[89a-f])/.test(JSON.stringify(given))
}

/** The JSON Pointer for the path of a validation error. */
export function pointerOf(path: string, base = ''): string {
  return pointer(base, ...membersOf(path))
}

/** `elements[0].name` -> elements, 0, name. */
function membersOf(path: string): (string | number)[] {
  if (path === 'body') return []
  return [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name = '']) =>
    index === undefined ? name : Number(index),
  )
}

/** List items are kept, because removing one would shift the indexes of the others. */
function without(value: unknown, place: readonly (string | number)[]): unknown {
  const [first, ...rest] = place
  if (first === undefined) return value
  if (Array.isArray(value)) return value.map((each: unknown, at) => (at === first ? without(each, rest) : each))
  if (!isRecord(value)) return value
  const entries = Object.entries(value)
  if (rest.length === 0) return Object.fromEntries(entries.filter(([name]) => name !== first))
  return Object.fromEntries(entries.map(([name, each]) => [name, name === first ? without(each, rest) : each]))
}
