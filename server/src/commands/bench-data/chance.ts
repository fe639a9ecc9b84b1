import { createSeededRandom } from '../../platform/operation/seeded-random.ts'

export const SEED = 20260301

/** A deterministic hash below 2^32, equal on every machine. */
export function hash(one: number, other: number): number {
  let mixed = Math.imul(one ^ SEED, 0x9e3779b1) ^ Math.imul(other + 0x7f4a7c15, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return (mixed ^ (mixed >>> 15)) >>> 0
}

/** A pseudo-random generator per artifact: deterministic for the same artifact. */
export interface Chance {
  /** From 0 to below 1. */
  unit(): number
  /** From 0 to below `end`. */
  integer(end: number): number
  /** Normal distribution with mean 0 and deviation 1. */
  normal(): number
}

export function chanceOf(index: number): Chance {
  const random = createSeededRandom(hash(index, 0))
  const unit = () => random.integer(2 ** 32) / 2 ** 32
  return {
    unit,
    integer: (end) => random.integer(end),
    normal: () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit()),
  }
}

type Draw = (chance: Pick<Chance, 'unit'>) => number

/** Draws an index in proportion to its weight. */
export function weighted(weights: readonly number[]): Draw {
  let sum = 0
  const ends = weights.map((weight) => (sum += weight))
  return (chance) => {
    const wanted = chance.unit() * sum
    let [low, high] = [0, ends.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? sum) > wanted) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** Draws the n-th index in proportion to 1 / n^exponent. */
export function zipf(count: number, exponent: number): Draw {
  return weighted(Array.from({ length: count }, (_, index) => 1 / (index + 1) ** exponent))
}

/** Several distinct indexes, ascending. */
export function several(draw: Draw, count: number, chance: Chance): number[] {
  const drawn = new Set<number>()
  for (let tries = 0; drawn.size < count && tries < 20 * count; tries++) drawn.add(draw(chance))
  return [...drawn].toSorted((one, other) => one - other)
}
