/** Moves names apart until neighbours are a line apart and all are inside; returns their centres in the given order. */
export function spreadNames(
  wanted: readonly number[],
  { line, from, to }: { readonly line: number; readonly from: number; readonly to: number },
): readonly number[] {
  const order = wanted.map((_, index) => index).toSorted((one, other) => (wanted[one] ?? 0) - (wanted[other] ?? 0))
  const placed = [...wanted]
  let least = from + line / 2
  for (const index of order) {
    const at = Math.max(least, wanted[index] ?? 0)
    placed[index] = at
    least = at + line
  }
  let most = to - line / 2
  for (const index of order.toReversed()) {
    const at = Math.min(most, placed[index] ?? 0)
    placed[index] = at
    most = at - line
  }
  return placed
}
