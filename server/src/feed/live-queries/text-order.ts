import { compareTexts } from '../../artifacts/search/compare-texts.ts'
import type { Tx } from '../../platform/database/db.ts'

export type Collation = 'waypost' | 'default'

/**
 * How texts are sorted: by the database. Here it is guessed, and what was guessed is asked there before it counts, because
 * two libraries, or two versions of one, do not sort every character alike.
 */
export interface TextOrder {
  compare(one: string, other: string, collation: Collation): number
  /** Notes that an answer rests on how these two compare. */
  rely(one: string, other: string, collation: Collation): void
  /** Asks the database about all that was relied on; true: one of the guesses was wrong, and all is to be done again. */
  verify(tx: Tx): Promise<boolean>
}

const MOST = 20_000
/** Of these no version has ever changed the order. */
const PLAIN = /^[a-z0-9 ]*$/
const guess = new Intl.Collator('und-u-kn-true', { numeric: true })

export function createTextOrder(): TextOrder {
  const known = new Map<string, number>()
  const doubts = new Map<string, readonly [one: string, other: string, collation: Collation]>()
  const nameOf = (one: string, other: string, collation: Collation) => JSON.stringify([collation, one, other])
  const compare: TextOrder['compare'] = (one, other, collation) => {
    if (one === other) return 0
    return known.get(nameOf(one, other, collation)) ?? guessed(one, other)
  }
  return {
    compare,
    rely(one, other, collation) {
      const name = nameOf(one, other, collation)
      const isPlain = collation === 'waypost' && PLAIN.test(one) && PLAIN.test(other)
      if (one !== other && !isPlain && !known.has(name)) doubts.set(name, [one, other, collation])
    },
    async verify(tx) {
      let wasWrong = false
      if (known.size > MOST) known.clear()
      for (const [collation, group] of Map.groupBy(doubts, ([, [, , each]]) => each)) {
        const signs = await compareTexts(
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
      doubts.clear()
      return wasWrong
    },
  }
}

function guessed(one: string, other: string): number {
  return guess.compare(one, other) || (one < other ? -1 : 1)
}
