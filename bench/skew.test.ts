import { expect, test } from 'vitest'
import { drawSkewed, drawUniformly } from './skew.ts'

const COUNT = 9500
const DRAWS = 20_000

function drawAll(draw: (turn: number, stream: number) => number, stream = 1): number[] {
  return Array.from({ length: DRAWS }, (_, turn) => draw(turn, stream))
}

/** The share of the most popular artifacts in all draws. */
function topShare(drawn: readonly number[], top: number): number {
  const counts = [...Map.groupBy(drawn, (rank) => rank).values()].map(({ length }) => length)
  return (
    counts
      .toSorted((one, other) => other - one)
      .slice(0, top)
      .reduce((sum, count) => sum + count, 0) / drawn.length
  )
}

test('a skewed load draws the hundred most popular of 9,500 artifacts about half of the time', () => {
  const harmonic = (count: number) => Array.from({ length: count }, (_, at) => 1 / (at + 1)).reduce((a, b) => a + b, 0)
  expect(topShare(drawAll(drawSkewed(COUNT)), 100)).toBeCloseTo(harmonic(100) / harmonic(COUNT), 1)
})

test('a uniform load has no favourites', () => {
  expect(topShare(drawAll(drawUniformly(COUNT)), 100)).toBeLessThan(0.05)
})

test('every rank has an artifact of its own', () => {
  const draw = drawSkewed(COUNT)
  const drawn = new Set(Array.from({ length: 40 }, (_, stream) => drawAll(draw, stream)).flat())
  expect(drawn.size).toBeGreaterThan(0.99 * COUNT)
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...drawn)).toBeLessThan(COUNT)
})

test('the same seed draws the same artifacts, another seed draws others', () => {
  const draw = drawSkewed(COUNT)
  expect(drawAll(draw, 7)).toEqual(drawAll(drawSkewed(COUNT), 7))
  expect(drawAll(draw, 7)).not.toEqual(drawAll(draw, 8))
})
