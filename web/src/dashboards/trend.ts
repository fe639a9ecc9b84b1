/** How much the last of the daily counts differs from the one so many days before; undefined if that is not known. */
export function changeInDays(counts: readonly number[], days: number): number | undefined {
  const now = counts.at(-1)
  const before = counts.at(-1 - days)
  return now === undefined || before === undefined ? undefined : now - before
}
