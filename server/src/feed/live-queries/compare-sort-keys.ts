import type { SortOrder } from '../../artifacts/search/order-sql.ts'
import type { KeysetPosition } from '../../platform/http/pages.ts'
import type { SortValue } from '../../trackers/search/condition.ts'
import type { Collation, TextOrder } from './text-order.ts'

/** Compares two keyset positions, given as the texts that the database returns. */
export function compareSortKeys(
  order: SortOrder,
  texts: TextOrder,
  one: KeysetPosition,
  other: KeysetPosition,
): number {
  return compareKeyByKey(order, one, other, (kind, a, b) => compareValues(kind, a, b, texts))
}

/** Records the text comparisons on which the order of these two depends. */
export function trackSortKeyComparison(
  order: SortOrder,
  texts: TextOrder,
  one: KeysetPosition,
  other: KeysetPosition,
): void {
  compareKeyByKey(order, one, other, (kind, a, b) => {
    const collation = collationOf(kind)
    if (collation) texts.trackComparison(a, b, collation)
    return compareValues(kind, a, b, texts)
  })
}

type SortKeyKind = SortValue | 'id'

function compareKeyByKey(
  order: SortOrder,
  one: KeysetPosition,
  other: KeysetPosition,
  compare: (kind: SortKeyKind, a: string, b: string) => number,
): number {
  const id = { by: 'id', isDescending: order.keys.length === 0 && order.isDescending } as const
  for (const [at, { by, isDescending }] of [...order.keys, id].entries()) {
    const [a, b] = [one[at] ?? null, other[at] ?? null]
    if (a === null && b === null) continue
    if (a === null) return 1 // Nulls are last in both directions.
    if (b === null) return -1
    const sign = compare(by, String(a), String(b))
    if (sign !== 0) return isDescending ? -sign : sign
  }
  return 0
}

function compareValues(kind: SortKeyKind, a: string, b: string, texts: TextOrder): number {
  const collation = collationOf(kind)
  if (collation) return texts.compare(a, b, collation)
  // Milliseconds first; equal milliseconds are compared as text, which has the microseconds.
  if (isInstant(kind)) return Date.parse(a) - Date.parse(b) || (a < b ? -1 : Number(a > b))
  return Number(a) - Number(b)
}

function collationOf(kind: SortKeyKind): Collation | undefined {
  if (kind === 'id') return undefined
  if (kind.kind === 'text') return 'waypost'
  return kind.kind === 'login' || kind.kind === 'login_of_chosen' ? 'default' : undefined
}

function isInstant(kind: SortKeyKind): boolean {
  if (kind === 'id' || kind.kind !== 'fact') return false
  return kind.fact === 'submitted_on' || kind.fact === 'last_modified_date'
}
