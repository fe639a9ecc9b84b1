const MAX_NAME_LENGTH = 64

/** The closest name, ignoring case; undefined if none is close. */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  if (written.length > MAX_NAME_LENGTH) return undefined
  // At least one character must match.
  const furthest = Math.min(written.length - 1, Math.max(1, Math.floor(written.length / 3)))
  let [best, nearest] = [furthest + 1, '']
  for (const name of names) {
    if (Math.abs(name.length - written.length) >= best) continue
    const distance = distanceBetween(written.toLowerCase(), name.toLowerCase())
    if (distance < best) [best, nearest] = [distance, name]
  }
  return best > furthest ? undefined : nearest
}

/** The member `nearest` of an error's details; empty if no name is close. */
export function suggestName(written: string, names: readonly string[]): { nearest?: string } {
  const nearest = nearestName(written, names)
  return nearest === undefined ? {} : { nearest }
}

/** Edit distance with transpositions (Damerau-Levenshtein). */
function distanceBetween(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const changed = distanceIn(last, column - 1) + (isSame ? 0 : 1)
      const isSwapped = row > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const swapped = isSwapped ? distanceIn(before, column - 2) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(changed, swapped, distanceIn(last, column) + 1, distanceIn(next, column - 1) + 1))
    }
    ;[before, last] = [last, next]
  }
  return distanceIn(last, other.length)
}

function distanceIn(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
