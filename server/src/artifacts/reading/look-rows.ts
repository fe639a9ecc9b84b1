import { type RawBuilder, sql } from 'kysely'
import type { FullUserRow } from '../../accounts/users/user.ts'
import type { StoredValues, TrackerId } from '../../trackers/tracker.ts'
import type { Artifact, ArtifactId } from '../artifact.ts'

/** A link whose other end the viewer sees. */
export interface LinkRow {
  readonly id: ArtifactId
  readonly type: string
  readonly tracker: { readonly id: TrackerId; readonly label: string; readonly color_name: string }
  readonly project: { readonly id: number; readonly label: string; readonly icon: string }
  /** Set for a child: the input of sums. Not part of the response. */
  readonly child?: { readonly values: StoredValues; readonly stamp: string; readonly submitted_on: string } | null
}

/** A reference in a text of this artifact or of a visible one. */
export interface ReferenceRow {
  readonly ref: string
  readonly keyword: string
  readonly value: string
  readonly of_project: number
  readonly target_id: ArtifactId | null
  /** The field of the text; 0 for a comment. */
  readonly field_id: number
  readonly comment_groups: readonly number[] | null
}

export interface IncomingRow extends Omit<ReferenceRow, 'ref' | 'keyword' | 'value' | 'of_project' | 'target_id'> {
  readonly artifact_id: ArtifactId
  readonly project_id: number
  readonly tracker_id: TrackerId
  readonly stamp: string
}

/** An artifact with everything around it that the viewer sees. Both ways to look it up return it. */
export interface LookRow extends Artifact {
  /** The access version of its tracker. */
  readonly stamp: string
  /** Its people, and those of the artifacts that were looked up with it. */
  readonly persons: readonly FullUserRow[]
  readonly forward: readonly LinkRow[]
  readonly reverse: readonly LinkRow[]
  readonly outgoing: readonly ReferenceRow[]
  readonly incoming: readonly IncomingRow[]
}

/** The same as selected. Of several artifacts, one row has the people of all. */
export type SelectedRow = Omit<LookRow, 'persons'> & { readonly persons: readonly FullUserRow[] | null }

export const artifactColumns = columnsWith(sql`artifact.field_values`)

export function columnsWith(values: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`artifact.id, artifact.project_id, artifact.tracker_id, artifact.number, artifact.rank,
    artifact.version, ${values}, artifact.people, artifact.restricted_to, artifact.submitted_by,
    artifact.submitted_on, artifact.last_update_by, artifact.last_modified_date, artifact.last_modified`
}

/** References in an order that does not depend on the plan. */
export const OUTGOING_ORDER = sql`order by reference.ref, reference.field_id, reference.changeset_id`
export const INCOMING_ORDER = sql`order by reference.artifact_id, reference.ref, reference.field_id, reference.changeset_id`

/**
 * The artifact at the other end, looked up by its id. `offset 0` keeps PostgreSQL from beginning with all artifacts
 * that the viewer sees, which it prefers where many references lead to few artifacts.
 */
export function joinEnd(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`cross join lateral (select * from artifact where artifact.id = ${id} offset 0) artifact`
}

export function asArray(query: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select coalesce(json_agg(each), '[]') from (${query}) each)`
}
