/** The stored value ids of a list. */
export function storedIds(stored: unknown): number[] {
  return Array.isArray(stored) ? stored.filter((each): each is number => typeof each === 'number') : []
}

/** Treats nothing stored and None as equal. */
export function isSameSet(one: readonly unknown[], other: readonly unknown[]): boolean {
  const [ones, others] = [new Set(one), new Set(other)]
  return ones.size === others.size && ones.isSubsetOf(others)
}
