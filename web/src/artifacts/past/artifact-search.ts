/** The state of the artifact page in its address. */
export interface ArtifactSearch {
  /** An earlier version to show. */
  readonly version?: number | undefined
}

export function readArtifactSearch({ version }: Readonly<Record<string, unknown>>): ArtifactSearch {
  const number = Number(version)
  return Number.isSafeInteger(number) && number > 0 ? { version: number } : {}
}
