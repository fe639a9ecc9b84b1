/** Deterministic pseudo-random numbers: equal for the same seed on every machine. */
export interface SeededRandom {
  /** 0 to below `end`. */
  integer(end: number): number
  pick<T>(from: readonly [T, ...T[]]): T
}

export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (end: number) => Math.floor(next() * end)
  return { integer, pick: (from) => from[integer(from.length)] ?? from[0] }
}
