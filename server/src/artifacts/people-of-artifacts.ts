import { sql } from 'kysely'
import type { ArtifactPeople } from '../trackers/binds/population.ts'

/** Account ids as subqueries. Deleted artifacts are excluded. */
export const peopleOfArtifacts: ArtifactPeople = {
  submitters: (tracker) => sql`select artifact.submitted_by from artifact
    where artifact.tracker_id = ${tracker} and artifact.deleted_on is null and artifact.submitted_by is not null`,
  modifiers: (tracker) => sql`select changeset.submitted_by from artifact
    join changeset on changeset.artifact_id = artifact.id
    where artifact.tracker_id = ${tracker} and artifact.deleted_on is null and changeset.submitted_by is not null`,
}
