import type { Id } from '../platform/database/ids.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import type { ResourceVersion } from '../platform/wire/etag.ts'
import type { ProjectId } from '../projects/project.ts'
import type { StoredValues, TrackerId, VersionFacts } from '../trackers/tracker.ts'

export type ArtifactId = Id<'artifact'>
export type ChangesetId = Id<'changeset'>

/** A row of `artifact`: the current version. */
export interface Artifact extends VersionFacts {
  readonly id: ArtifactId
  readonly project_id: ProjectId
  readonly tracker_id: TrackerId
  readonly version: number
  readonly field_values: StoredValues
  readonly people: readonly AccountId[]
  readonly restricted_to: readonly number[] | null
  readonly last_modified: Date
}

/** The validators of a version: its ETag and its unique `Last-Modified` second. */
export function artifactVersion({
  id,
  version,
  last_modified,
}: Pick<Artifact, 'id' | 'version' | 'last_modified'>): ResourceVersion {
  return { kind: 'artifact', id, version, last_modified }
}
