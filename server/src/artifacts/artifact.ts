import type { Id } from '../platform/database/ids.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import type { Version } from '../platform/wire/etag.ts'
import type { ProjectId } from '../projects/project.ts'
import type { StoredValues, TrackerId, VersionFacts } from '../trackers/tracker.ts'

export type ArtifactId = Id<'artifact'>
export type ChangesetId = Id<'changeset'>

/** A row of `artifact`: its last version. */
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

/** What names a version to clients: the tag, and the second of its own. */
export function versionOf({ id, version, last_modified }: Pick<Artifact, 'id' | 'version' | 'last_modified'>): Version {
  return { kind: 'artifact', id, version, last_modified }
}
