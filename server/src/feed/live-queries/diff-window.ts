import type { ResultRow } from './result-buffer.ts'

/** One step of the changes that turn the old rows of a client into the new ones. */
export type WindowChange =
  | { readonly event: 'leave'; readonly row: ResultRow }
  | { readonly event: 'enter' | 'change'; readonly row: ResultRow; readonly position: number }

/**
 * The steps from the old window to the new one. Only rows with another version or position move; the others keep their
 * order. A position is valid at the moment when its step is applied.
 */
export function diffWindow(before: readonly ResultRow[], after: readonly ResultRow[]): WindowChange[] {
  const remaining = new Set(after.map(({ id }) => id))
  const previous = new Map(before.map((row) => [row.id, row]))
  const changes: WindowChange[] = before.filter(({ id }) => !remaining.has(id)).map((row) => ({ event: 'leave', row }))
  const shown = before.filter(({ id }) => remaining.has(id)).map(({ id }) => id)
  for (const [at, row] of after.entries()) {
    const { id } = row
    const known = previous.get(id)
    if (known && isSameRow(known, row)) continue
    const from = shown.indexOf(id)
    if (from >= 0) shown.splice(from, 1)
    // All rows before it are final, so it belongs after the last of them.
    const position = at === 0 ? 0 : shown.indexOf(after[at - 1]?.id ?? id) + 1
    shown.splice(position, 0, id)
    if (!known) changes.push({ event: 'enter', row, position })
    else if (known.version !== row.version || position !== from) changes.push({ event: 'change', row, position })
  }
  return changes
}

function isSameRow(one: ResultRow, other: ResultRow): boolean {
  return one.version === other.version && one.place.every((key, at) => key === other.place[at])
}
