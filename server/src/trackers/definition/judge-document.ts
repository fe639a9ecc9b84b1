import { faultsOf } from '../../platform/wire/schema-faults.ts'
import { isRecord, shapeOf } from '../../platform/wire/schema-shape.ts'
import { type Located, pointer } from './problems.ts'
import { isDefinition, TrackerDefinition } from './schemas.ts'

/** A document, as far as its form is good, and what is wrong with that. */
export interface Judged {
  readonly document: TrackerDefinition | undefined
  readonly problems: readonly Located[]
}

/**
 * What there is to read in a document. What does not fit the schema is a problem and left out, so that the rest can be
 * read and judged too; if that is not possible, there is nothing to read.
 */
export function judgeDocument(given: unknown): Judged {
  if (isDefinition(given) && !isSuspect(given)) return { document: given, problems: [] }
  const faults = faultsOf(shapeOf(TrackerDefinition), given, '')
  const places = faults.map(({ path }) => membersOf(path))
  const problems = faults.map((fault, at) => ({ ...fault, path: pointer('', ...(places[at] ?? [])) }))
  const rest = places.reduce<unknown>(without, given)
  return { document: isDefinition(rest) ? rest : undefined, problems }
}

/** Written as JSON, what cannot be stored stands out: U+0000 and half characters. Whether it is one, the faults say. */
function isSuspect(given: TrackerDefinition): boolean {
  return /\\u(?:0000|d[89a-f])/.test(JSON.stringify(given))
}

/** The pointer for a path as refusals have it. */
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

/** Items of a list stay: without one of them, the others would have other numbers. */
function without(value: unknown, place: readonly (string | number)[]): unknown {
  const [first, ...rest] = place
  if (first === undefined) return value
  if (Array.isArray(value)) return value.map((each: unknown, at) => (at === first ? without(each, rest) : each))
  if (!isRecord(value)) return value
  const entries = Object.entries(value)
  if (rest.length === 0) return Object.fromEntries(entries.filter(([name]) => name !== first))
  return Object.fromEntries(entries.map(([name, each]) => [name, name === first ? without(each, rest) : each]))
}
