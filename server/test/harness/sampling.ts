import { createHash } from 'node:crypto'
import { isFull, TEST_LEVEL } from './test-level.ts'

export { isFull }

/** The factor of sample sizes in CI over a quick run. */
const CI_FACTOR = 4

/**
 * A deterministic sample by name: other names get other items, so that all items are covered across many routes. The
 * full run uses all of them.
 */
export function sampleItems<T>(all: readonly T[], name: string, quickCount: number): readonly T[] {
  const count = TEST_LEVEL === 'ci' ? quickCount * CI_FACTOR : quickCount
  if (isFull || count >= all.length) return all
  const from = numberOf(name) % all.length
  return Array.from({ length: count }, (_, at) => (from + at) % all.length)
    .toSorted((one, other) => one - other)
    .flatMap((at) => all.slice(at, at + 1))
}

/** A tenth of the items, in CI two fifths, selected by name: similar routes get other items. */
export function sampleTenth<T>(all: readonly T[], name: string): readonly T[] {
  const from = numberOf(name)
  const count = TEST_LEVEL === 'ci' ? CI_FACTOR : 1
  return isFull ? all : all.filter((_, at) => (at + from) % 10 < count)
}

function numberOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE()
}
