import { compareByCollation } from '../../artifacts/search/compare-by-collation.ts'
import type { Tx } from '../../platform/database/db.ts'

export type Collation = 'waypost' | 'default'

/**
 * The sort order of the database. It is guessed locally and verified by the database before use, because two collation
 * libraries, or two versions of one, do not sort every character alike.
 */
export interface TextOrder {
  compare(one: string, other: string, collation: Collation): number
  /** Records that a result depends on this comparison. */
  trackComparison(one: string, other: string, collation: Collation): void
  /** Verifies all recorded comparisons; true: a guess was wrong, and the caller has to sort again. */
  verify(tx: Tx): Promise<boolean>
}

const MAX_CACHED_COMPARISONS = 20_000
/** No version of the collation has ever changed the order of these characters. */
const STABLE_ORDER_TEXT = /^[a-z0-9 ]*$/
const localCollator = new Intl.Collator('und-u-kn-true', { numeric: true })

export function createTextOrder(): TextOrder {
  const known = new Map<string, number>()
  const unverified = new Map<string, readonly [one: string, other: string, collation: Collation]>()
  const cacheKey = (one: string, other: string, collation: Collation) => JSON.stringify([collation, one, other])
  const compare: TextOrder['compare'] = (one, other, collation) => {
    if (one === other) return 0
    return known.get(cacheKey(one, other, collation)) ?? compareLocally(one, other)
  }
  return {
    compare,
    trackComparison(one, other, collation) {
      const name = cacheKey(one, other, collation)
      const isPlain = collation === 'waypost' && STABLE_ORDER_TEXT.test(one) && STABLE_ORDER_TEXT.test(other)
      if (one !== other && !isPlain && !known.has(name)) unverified.set(name, [one, other, collation])
    },
    async verify(tx) {
      let wasWrong = false
      // Cleared between rounds, not LRU: a comparison evicted within a round would be guessed and sorted wrongly again.
      if (known.size > MAX_CACHED_COMPARISONS) known.clear()
      for (const [collation, group] of Map.groupBy(unverified, ([, [, , each]]) => each)) {
        const signs = await compareByCollation(
          tx,
          group.map(([, [one, other]]) => [one, other] as const),
          collation,
        )
        for (const [at, [name, [one, other]]] of group.entries()) {
          const sign = signs[at] ?? 0
          if (Math.sign(compare(one, other, collation)) !== sign) wasWrong = true
          known.set(name, sign)
        }
      }
      unverified.clear()
      return wasWrong
    },
  }
}

function compareLocally(one: string, other: string): number {
  return localCollator.compare(one, other) || (one < other ? -1 : 1)
}
