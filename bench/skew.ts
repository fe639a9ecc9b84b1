import { hash, zipf } from '../server/src/commands/bench-data/chance.ts'

/** A prime above the popular ranks, so that popular artifacts are spread over the whole table. */
const SPREAD_STEP = 1_000_003
const EXPONENT = 1

/** A rank from 0 to below a count, for the n-th draw of a stream. */
export type DrawRank = (turn: number, stream: number) => number

export function drawUniformly(count: number): DrawRank {
  return (turn, stream) => Math.floor((hash(turn, stream) / 2 ** 32) * count)
}

/** By Zipf's law with exponent 1: the n-th popular artifact is read 1/n times as often as the first. */
export function drawSkewed(count: number): DrawRank {
  const popularity = zipf(count, EXPONENT)
  return (turn, stream) => (popularity({ unit: () => hash(turn, stream) / 2 ** 32 }) * SPREAD_STEP) % count
}
