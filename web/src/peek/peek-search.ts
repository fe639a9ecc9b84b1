/** A part of the address of every screen with a list. */
export interface PeekSearch {
  /** The artifact in the panel beside the list. */
  readonly peek?: number | undefined
}

export function readPeekSearch({ peek }: Readonly<Record<string, unknown>>): PeekSearch {
  return typeof peek === 'number' && Number.isSafeInteger(peek) && peek > 0 ? { peek } : {}
}
