import type { Order } from '../../artifacts/search/order-sql.ts'
import type { Place } from '../../platform/http/pages.ts'
import type { SortValue } from '../../trackers/search/condition.ts'
import type { Collation, TextOrder } from './text-order.ts'

/** Two places in the order of a search, each as the texts that the database gives: before, equal, behind. */
export function comparePlaces(order: Order, texts: TextOrder, one: Place, other: Place): number {
  return walk(order, one, other, (kind, a, b) => signOf(kind, a, b, texts))
}

/** Notes the texts on which the comparison of these two rests. */
export function relyOnPlaces(order: Order, texts: TextOrder, one: Place, other: Place): void {
  walk(order, one, other, (kind, a, b) => {
    const collation = collationOf(kind)
    if (collation) texts.rely(a, b, collation)
    return signOf(kind, a, b, texts)
  })
}

type Kind = SortValue | 'id'

function walk(order: Order, one: Place, other: Place, compare: (kind: Kind, a: string, b: string) => number): number {
  const id = { by: 'id', isDescending: order.keys.length === 0 && order.isDescending } as const
  for (const [at, { by, isDescending }] of [...order.keys, id].entries()) {
    const [a, b] = [one[at] ?? null, other[at] ?? null]
    if (a === null && b === null) continue
    if (a === null) return 1 // What has no value is last, whichever way it goes.
    if (b === null) return -1
    const sign = compare(by, String(a), String(b))
    if (sign !== 0) return isDescending ? -sign : sign
  }
  return 0
}

function signOf(kind: Kind, a: string, b: string, texts: TextOrder): number {
  const collation = collationOf(kind)
  if (collation) return texts.compare(a, b, collation)
  // Instants are written alike to the millisecond; what is finer is compared as it is written.
  if (isInstant(kind)) return Date.parse(a) - Date.parse(b) || (a < b ? -1 : Number(a > b))
  return Number(a) - Number(b)
}

function collationOf(kind: Kind): Collation | undefined {
  if (kind === 'id') return undefined
  if (kind.kind === 'text') return 'waypost'
  return kind.kind === 'login' || kind.kind === 'login_of_chosen' ? 'default' : undefined
}

function isInstant(kind: Kind): boolean {
  if (kind === 'id' || kind.kind !== 'fact') return false
  return kind.fact === 'submitted_on' || kind.fact === 'last_modified_date'
}
