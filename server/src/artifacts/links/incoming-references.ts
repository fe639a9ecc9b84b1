import type { RawBuilder } from 'kysely'
import type { ArtifactId } from '../artifact.ts'
import type { Audience } from '../reading/audience.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** References to artifacts from other rooms, such as commits. Registered in `ports.ts`. */
    readonly incomingReferences: readonly IncomingReferences[]
  }
}

export interface IncomingReference {
  readonly ref: string
  readonly keyword: string
  readonly value: string
  readonly project_id: number
}

export interface IncomingReferences {
  /** References to each of these artifacts from texts that the viewer may read. */
  find(
    audience: Audience,
    artifacts: readonly ArtifactId[],
  ): Promise<ReadonlyMap<ArtifactId, readonly IncomingReference[]>>
  /** True if any text refers to the artifact, readable or not. */
  exists(artifact: RawBuilder<unknown>): RawBuilder<boolean>
}

/** References from all other rooms; the number of statements does not depend on the number of artifacts. */
export async function findIncoming(
  audience: Audience,
  artifacts: readonly ArtifactId[],
): Promise<(artifact: ArtifactId) => readonly IncomingReference[]> {
  const found: ReadonlyMap<ArtifactId, readonly IncomingReference[]>[] = []
  if (artifacts.length > 0)
    for (const source of audience.context.incomingReferences) found.push(await source.find(audience, artifacts))
  return (artifact) => found.flatMap((each) => each.get(artifact) ?? [])
}
