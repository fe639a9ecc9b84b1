import type { Row } from './result.ts'

/** What a reader does with his rows, one after the other, so that they become the new ones. */
export type Step =
  | { readonly event: 'leave'; readonly row: Row }
  | { readonly event: 'enter' | 'change'; readonly row: Row; readonly position: number }

/**
 * How the rows that a reader has become those that he should have. Only those move whose version or place is another one: the
 * others keep their order. A position is the one at the moment when its step is done.
 */
export function tellDifference(before: readonly Row[], after: readonly Row[]): Step[] {
  const stays = new Set(after.map(({ id }) => id))
  const had = new Map(before.map((row) => [row.id, row]))
  const steps: Step[] = before.filter(({ id }) => !stays.has(id)).map((row) => ({ event: 'leave', row }))
  const shown = before.filter(({ id }) => stays.has(id)).map(({ id }) => id)
  for (const [at, row] of after.entries()) {
    const { id } = row
    const known = had.get(id)
    if (known && isSame(known, row)) continue
    const from = shown.indexOf(id)
    if (from >= 0) shown.splice(from, 1)
    // All that come before it are settled already, so it belongs behind the last of them.
    const position = at === 0 ? 0 : shown.indexOf(after[at - 1]?.id ?? id) + 1
    shown.splice(position, 0, id)
    if (!known) steps.push({ event: 'enter', row, position })
    else if (known.version !== row.version || position !== from) steps.push({ event: 'change', row, position })
  }
  return steps
}

function isSame(one: Row, other: Row): boolean {
  return one.version === other.version && one.place.every((key, at) => key === other.place[at])
}
