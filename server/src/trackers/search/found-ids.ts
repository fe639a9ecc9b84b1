import { parseClientNumber } from '../binds/parse-list-input.ts'
import { DECIMAL } from '../field-types/decimal.ts'
import { NONE_VALUE_ID } from '../tracker.ts'
import { type SearchContext, type Comparison, SearchFault } from './field-search.ts'
import { literalName } from './literals.ts'

/** How names and ids in a search are resolved. */
export interface ValueLookup {
  readonly cause: 'list_value' | 'user'
  readonly named: (name: string) => Promise<readonly number[]>
  /** The number for an id of this kind; 0 if nothing has this id; undefined if it is not such an id. */
  readonly numberOf?: (id: string) => number | undefined
}

/** The values of a criterion as an array. */
export function givenValues(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** The same without None, which criteria cannot search for. */
export function withoutNone(value: unknown): readonly unknown[] {
  return givenValues(value).filter((each) => parseClientNumber(each) !== NONE_VALUE_ID)
}

/** The ids of criteria, given as numbers or names; impossible ids are dropped. */
export async function idsGiven(given: readonly unknown[], finding: ValueLookup): Promise<number[]> {
  const found = await Promise.all(given.map(async (each) => idsOf(each, finding)))
  return [...new Set(found.flat())]
}

async function idsOf(given: unknown, { named, numberOf }: ValueLookup): Promise<readonly number[]> {
  const text = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : ''
  const id = numberOf?.(text) ?? (DECIMAL.test(text) ? (parseClientNumber(text) ?? 0) : undefined)
  if (id !== undefined) return id === 0 ? [] : [id]
  const found = text === '' ? [] : await named(text)
  if (found.length > 0) return found
  throw new SearchFault('value_invalid', { cause: 'list_value', params: { value: shown(given) } })
}

function shown(given: unknown): string | number | boolean | null {
  const isPlain = typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean'
  return isPlain || given === null ? given : JSON.stringify(given)
}

/** The ids of a comparison. Unknown values are ignored unless all are unknown. */
export async function idsCompared(
  comparison: Comparison,
  finding: ValueLookup,
  asking: SearchContext,
): Promise<number[]> {
  const names = comparison.literals.map((literal) => literalName(literal, asking))
  const found = await Promise.all(names.map(async (name) => finding.named(name)))
  const ids = [...new Set(found.flat())]
  if (ids.length > 0) return ids
  throw new SearchFault('reference_unknown', { cause: finding.cause, params: { value: names[0] ?? '' } })
}
