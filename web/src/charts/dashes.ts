/** A pattern for each line beside its colour, in pixels of line and gap; the first one is solid. */
export const DASHES: readonly (readonly number[])[] = [
  [],
  [7, 4],
  [2, 3],
  [12, 4],
  [9, 3, 2, 3],
  [9, 3, 2, 3, 2, 3],
  [4, 2],
  [1, 5],
]

export function dashOf(line: number): readonly number[] {
  return DASHES[line % DASHES.length] ?? []
}
