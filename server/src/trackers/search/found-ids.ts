import { numberIn } from '../binds/asked.ts'
import { DECIMAL } from '../fields/decimal.ts'
import { NONE } from '../tracker.ts'
import { type Asking, type Comparison, SearchFault } from './field-search.ts'
import { nameIn } from './literals.ts'

/** How whatever a search names is found. */
export interface Finding {
  readonly cause: 'list_value' | 'user'
  readonly named: (name: string) => Promise<readonly number[]>
  /** The number that an id of this kind stands for; 0: there is nothing of it. Undefined: it is no such id. */
  readonly numberOf?: (id: string) => number | undefined
}

/** The values of a criterion, as many as there are. */
export function givenValues(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** The same without None, which cannot be looked for in this language. */
export function withoutNone(value: unknown): readonly unknown[] {
  return givenValues(value).filter((each) => numberIn(each) !== NONE)
}

/** The ids that criteria give, as numbers or as names; what nobody can have is left out. */
export async function idsGiven(given: readonly unknown[], finding: Finding): Promise<number[]> {
  const found = await Promise.all(given.map(async (each) => idsOf(each, finding)))
  return [...new Set(found.flat())]
}

async function idsOf(given: unknown, { named, numberOf }: Finding): Promise<readonly number[]> {
  const text = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : ''
  const id = numberOf?.(text) ?? (DECIMAL.test(text) ? (numberIn(text) ?? 0) : undefined)
  if (id !== undefined) return id === 0 ? [] : [id]
  const found = text === '' ? [] : await named(text)
  if (found.length > 0) return found
  throw new SearchFault('value_invalid', { cause: 'list_value', params: { value: shown(given) } })
}

function shown(given: unknown): string | number | boolean | null {
  const isPlain = typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean'
  return isPlain || given === null ? given : JSON.stringify(given)
}

/** The ids that a comparison names. What is unknown is passed over, unless nothing is known. */
export async function idsCompared(comparison: Comparison, finding: Finding, asking: Asking): Promise<number[]> {
  const names = comparison.literals.map((literal) => nameIn(literal, asking))
  const found = await Promise.all(names.map(async (name) => finding.named(name)))
  const ids = [...new Set(found.flat())]
  if (ids.length > 0) return ids
  throw new SearchFault('reference_unknown', { cause: finding.cause, params: { value: names[0] ?? '' } })
}
