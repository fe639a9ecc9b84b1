import { createRandom } from '../../platform/operation/random.ts'

export const SEED = 20260301

/** A number below 2^32 that looks random and follows from its arguments alone, on every machine. */
export function hash(one: number, other: number): number {
  let mixed = Math.imul(one ^ SEED, 0x9e3779b1) ^ Math.imul(other + 0x7f4a7c15, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return (mixed ^ (mixed >>> 15)) >>> 0
}

/** Chance that belongs to one artifact: whoever asks for it again gets the same. */
export interface Chance {
  /** 0 to below 1. */
  unit(): number
  /** 0 to below `end`. */
  integer(end: number): number
  /** Around 0, with a deviation of 1. */
  normal(): number
}

export function chanceOf(index: number): Chance {
  const random = createRandom(hash(index, 0))
  const unit = () => random.integer(2 ** 32) / 2 ** 32
  return {
    unit,
    integer: (end) => random.integer(end),
    normal: () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit()),
  }
}

type Draw = (chance: Chance) => number

/** Draws places of a list, each as often as its weight says. */
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

/** The place n of a list is drawn in proportion to 1 / n^exponent. */
export function zipf(count: number, exponent: number): Draw {
  return weighted(Array.from({ length: count }, (_, index) => 1 / (index + 1) ** exponent))
}

/** Several different places, in rising order. */
export function several(draw: Draw, count: number, chance: Chance): number[] {
  const drawn = new Set<number>()
  for (let tries = 0; drawn.size < count && tries < 20 * count; tries++) drawn.add(draw(chance))
  return [...drawn].toSorted((one, other) => one - other)
}
