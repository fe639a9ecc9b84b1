import { sorted } from '../../quantiles.ts'

/**
 * The interval between two of the values that holds the median of their distribution with a probability of at least
 * 95 %, whatever the distribution is: each value is above the median as often as a coin shows heads.
 */
export function medianInterval(values: readonly number[]): [low: number, high: number] {
  const inOrder = sorted(values)
  const count = inOrder.length
  let [rank, outside, chance] = [0, 0, 0.5 ** count]
  // The interval leaves out `rank` values on each side, as many as fit into the remaining 5 %.
  while (2 * (outside + chance) <= 0.05) {
    outside += chance
    chance *= (count - rank) / (rank + 1)
    rank++
  }
  if (rank === 0) throw new Error('At least 6 rounds are needed for an interval of 95 %.')
  return [inOrder[rank - 1] ?? Number.NaN, inOrder[count - rank] ?? Number.NaN]
}
