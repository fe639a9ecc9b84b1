import type { Artifact } from '@waypost/sdk/api'

/** Tells rows of a report from flat ones, which are returned only on request. */
export function isArtifact(row: Artifact | Record<string, unknown>): row is Artifact {
  return 'xref' in row
}
