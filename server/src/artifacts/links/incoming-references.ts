import type { ArtifactId } from '../artifact.ts'
import type { Audience } from '../reading/reading.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** What refers to artifacts from other rooms, such as commits. Filled in `ports.ts`. */
    readonly incomingReferences: readonly IncomingReferences[]
  }
}

export interface IncomingReference {
  readonly ref: string
  readonly keyword: string
  readonly value: string
  readonly project_id: number
}

/** Those that refer to each of these artifacts, as far as the viewer may read the texts that do. */
export type IncomingReferences = (
  audience: Audience,
  artifacts: readonly ArtifactId[],
) => Promise<ReadonlyMap<ArtifactId, readonly IncomingReference[]>>

/** What refers to artifacts from all other rooms: as many statements for many of them as for one. */
export async function findIncoming(
  audience: Audience,
  artifacts: readonly ArtifactId[],
): Promise<(artifact: ArtifactId) => readonly IncomingReference[]> {
  const found: ReadonlyMap<ArtifactId, readonly IncomingReference[]>[] = []
  if (artifacts.length > 0)
    for (const find of audience.context.incomingReferences) found.push(await find(audience, artifacts))
  return (artifact) => found.flatMap((each) => each.get(artifact) ?? [])
}
