import { createHash } from 'node:crypto'

/** A seeded random generator: the same seed makes the same choices, independent of list lengths. */
export interface RepeatableRandom {
  /** From 0 to below 1. */
  number(): number
  /** Inclusive bounds. */
  integer(minimum: number, maximum: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly [T, ...T[]]): T
  /** Undefined for an empty list. */
  pickAny<T>(list: readonly T[]): T | undefined
  shuffled<T>(list: readonly T[]): T[]
  /** Lowercase letters. */
  letters(length: number): string
}

export function createRepeatableRandom(seed: string): RepeatableRandom {
  const number = smallFastCounter(createHash('sha256').update(seed).digest())
  const integer = (minimum: number, maximum: number) => minimum + Math.floor(number() * (maximum - minimum + 1))
  const pickAny = <T>(list: readonly T[]): T | undefined => list[Math.floor(number() * list.length)]
  return {
    number,
    integer,
    chance: (probability) => number() < probability,
    pick: (list) => pickAny(list) ?? list[0],
    pickAny,
    shuffled: (list) =>
      list
        .map((each) => ({ each, place: number() }))
        .toSorted((one, other) => one.place - other.place)
        .map(({ each }) => each),
    letters: (length) => Array.from({ length }, () => String.fromCharCode(97 + integer(0, 25))).join(''),
  }
}

/** The sfc32 generator: small, fast, and uniform enough. */
function smallFastCounter(state: Buffer): () => number {
  let [a, b, c, counter] = [state.readInt32LE(0), state.readInt32LE(4), state.readInt32LE(8), 1]
  return () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 2 ** 32
  }
}
