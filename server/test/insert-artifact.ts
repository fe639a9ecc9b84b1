import { sql } from 'kysely'
import type { ArtifactId } from '../src/artifacts/artifact.ts'
import type { Db } from '../src/platform/database/db.ts'
import type { TrackerId } from '../src/trackers/tracker.ts'
import { TOM } from './people.ts'

export const LONG_AGO = new Date('2026-01-01T00:00:00Z')

export interface Seeded {
  readonly id: ArtifactId
  readonly tracker: TrackerId
  readonly title: number
  readonly text: string
  /** Of further fields, by their ids. */
  readonly more?: Readonly<Record<number, unknown>>
  /** The field that says so is among them. */
  readonly restricted_to?: readonly number[]
  readonly isDeleted?: true
}

/** With all that a write through the API would have left: history, event, index and count. */
export async function insertArtifact(db: Db, artifact: Seeded): Promise<void> {
  const { id, tracker, title, text, more = {}, restricted_to = null, isDeleted = false } = artifact
  const values = { [title]: text, ...more }
  await sql`
    with counted as (
      update tracker_counter set last_number = last_number + 1, artifacts = artifacts + ${isDeleted ? 0 : 1}
      where tracker_id = ${tracker} returning project_id, last_number
    ), made as (
      insert into artifact (id, project_id, tracker_id, number, field_values, restricted_to, submitted_by, submitted_on,
        last_update_by, last_modified_date, last_modified, deleted_by, deleted_on)
      select ${id}::bigint, project_id, ${tracker}::bigint, last_number, ${JSON.stringify(values)}::jsonb,
        ${restricted_to}::bigint[], ${TOM.id}::bigint, ${LONG_AGO}::timestamptz, ${TOM.id}::bigint,
        ${LONG_AGO}::timestamptz, ${LONG_AGO}::timestamptz, ${isDeleted ? TOM.id : null}::bigint,
        ${isDeleted ? LONG_AGO : null}::timestamptz
      from counted returning *
    ), told as (
      insert into event (type, object, project_id, actor_id, payload, "on")
      select 'artifact.created', 'artifacts/' || id, project_id, submitted_by,
        jsonb_build_object('version', 1, 'tracker_id', tracker_id, 'changed', '[]'::jsonb, 'has_comment', false), submitted_on
      from made
    ), worded as (
      insert into artifact_words (artifact_id, project_id, words)
      select id, project_id, words_of(field_values, ${[title]}::bigint[]) from made
    )
    insert into changeset (id, project_id, artifact_id, tracker_id, version, submitted_by, submitted_on, last_modified,
      changes)
    select ${firstVersionOf(id)}::bigint, project_id, id, tracker_id, 1, submitted_by, submitted_on, last_modified,
      field_values
    from made`.execute(db)
}

export function firstVersionOf(id: number): number {
  return id + 2000
}
