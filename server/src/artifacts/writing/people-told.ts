import type { Work } from '../../platform/http/work.ts'
import type { ArtifactId } from '../artifact.ts'
import type { Audience } from '../reading/reading.ts'

type Notified = Parameters<Work['notify']>[0]

/** Who will be told of a version that this transaction has written, as far as its author sees them. */
export type PeopleTold = (author: Audience, artifact: ArtifactId, version: number) => Promise<readonly Notified[]>

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** For the report of a dry run. A room above fills it. */
    readonly peopleTold: PeopleTold
  }
}
