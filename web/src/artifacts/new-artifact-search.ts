/** The state of the form for a new artifact in its address. */
export interface NewArtifactSearch {
  /** The artifact of which the new one becomes a part. */
  readonly parent?: number | undefined
}

export function readNewArtifactSearch({ parent }: Readonly<Record<string, unknown>>): NewArtifactSearch {
  const number = Number(parent)
  return Number.isSafeInteger(number) && number > 0 ? { parent: number } : {}
}
