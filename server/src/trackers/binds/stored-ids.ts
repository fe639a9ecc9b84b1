/** What a list has stored: the ids of its values. */
export function storedIds(stored: unknown): number[] {
  return Array.isArray(stored) ? stored.filter((each): each is number => typeof each === 'number') : []
}

/** Nothing stored, and None, are the same. */
export function isSameSet(one: readonly unknown[], other: readonly unknown[]): boolean {
  const [ones, others] = [new Set(one), new Set(other)]
  return ones.size === others.size && ones.isSubsetOf(others)
}
