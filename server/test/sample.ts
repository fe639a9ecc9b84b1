import { createHash } from 'node:crypto'

/** `npm run test:full`: everything is tried on everything. */
export const isFull = process.env['WAYPOST_TEST_FULL'] === '1'

/**
 * So many of them, always the same ones of one name and others of another: where each of many routes is tried, each of
 * them meets some, and all of them are met. The full run tries each on each.
 */
export function someOf<T>(all: readonly T[], name: string, count: number): readonly T[] {
  if (isFull || count >= all.length) return all
  const from = numberOf(name) % all.length
  return Array.from({ length: count }, (_, at) => (from + at) % all.length)
    .toSorted((one, other) => one - other)
    .flatMap((at) => all.slice(at, at + 1))
}

/** A tenth of them, of another name perhaps another: what is tried on every route is tried on this one or near it. */
export function aTenthOf<T>(all: readonly T[], name: string): readonly T[] {
  const from = numberOf(name)
  return isFull ? all : all.filter((_, at) => (at + from) % 10 === 0)
}

function numberOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE()
}
