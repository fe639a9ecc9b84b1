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

/** Those that refer to an artifact, as far as the viewer may read the texts that do. */
export type IncomingReferences = (audience: Audience, artifact: ArtifactId) => Promise<readonly IncomingReference[]>
