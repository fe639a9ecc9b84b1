import type { Generated } from 'kysely'
import type { FileId } from '../files/file.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import type { TextFormat } from '../platform/rich-text/render-text.ts'
import type { ProjectId } from '../projects/project.ts'
import type { FieldId, StoredValues, TrackerId } from '../trackers/tracker.ts'
import type { ArtifactId, ChangesetId } from './artifact.ts'
import type { ImportId } from './imports/import.ts'

declare module '../platform/database/db.ts' {
  interface Tables {
    artifact: {
      id: Generated<ArtifactId>
      project_id: ProjectId
      tracker_id: TrackerId
      number: number
      rank: Generated<number>
      version: Generated<number>
      field_values: StoredValues
      people: Generated<AccountId[]>
      restricted_to: number[] | null
      submitted_by: AccountId | null
      submitted_on: Date
      last_update_by: AccountId | null
      last_modified_date: Date
      last_modified: Date
      deleted_by: AccountId | null
      deleted_on: Date | null
    }
    /** A narrow copy for searches, kept by triggers. */
    artifact_summary: {
      id: ArtifactId
      project_id: ProjectId
      tracker_id: TrackerId
      submitted_by: AccountId | null
      submitted_on: Date
      last_update_by: AccountId | null
      last_modified_date: Date
      deleted_on: Date | null
      restricted_to: number[] | null
      title: string | null
      folded_title: string | null
    }
    changeset: {
      id: Generated<ChangesetId>
      project_id: ProjectId
      artifact_id: ArtifactId
      tracker_id: TrackerId
      version: number
      submitted_by: AccountId | null
      submitted_on: Date
      last_modified: Date
      changes: StoredValues
      comment: string | null
      comment_format: TextFormat | null
      comment_groups: number[] | null
    }
    comment_version: {
      project_id: ProjectId
      artifact_id: ArtifactId
      changeset_id: ChangesetId
      version: number
      body: string
      format: TextFormat
      replaced_by: AccountId | null
      replaced_on: Date
    }
    comment_reaction: {
      project_id: ProjectId
      artifact_id: ArtifactId
      changeset_id: ChangesetId
      account_id: AccountId
      reaction: string
      reacted_on: Date
    }
    value_index: { project_id: ProjectId; field_id: FieldId; value: number; artifact_id: ArtifactId }
    number_index: { project_id: ProjectId; field_id: FieldId; value: number; artifact_id: ArtifactId }
    artifact_words: { artifact_id: ArtifactId; project_id: ProjectId; words: string }
    artifact_link: { project_id: ProjectId; source_id: ArtifactId; target_id: ArtifactId; type: string }
    artifact_reference: {
      project_id: ProjectId
      artifact_id: ArtifactId
      field_id: number
      changeset_id: Generated<number>
      ref: string
      keyword: string
      value: string
      of_project: number
      target_id: ArtifactId | null
    }
    artifact_deletion: {
      id: Generated<number>
      project_id: ProjectId
      artifact_id: ArtifactId
      account_id: AccountId
      deleted_on: Date
    }
    artifact_archive: {
      id: Generated<number>
      project_id: ProjectId
      tracker_id: TrackerId
      artifact_id: ArtifactId
      xref: string
      tracker_label: string
      deleted_by: AccountId | null
      deleted_on: Date
      is_restored: Generated<boolean>
      written_on: Date | null
      document: string | null
      people: unknown
      size: number | null
      sha256: string | null
    }
    artifact_rank_change: {
      id: Generated<number>
      project_id: ProjectId
      artifact_id: ArtifactId
      tracker_id: TrackerId
      rank_version: number
      changed_by: AccountId | null
      changed_on: Date
      side: 'before' | 'after'
      anchor_id: ArtifactId
    }
    artifact_import: {
      id: Generated<ImportId>
      project_id: ProjectId
      source: string
      state: 'running' | 'finished'
      started_by: AccountId | null
      started_on: Date
      finished_by: AccountId | null
      finished_on: Date | null
      version: Generated<number>
    }
    imported_artifact: {
      artifact_id: ArtifactId
      project_id: ProjectId
      import_id: ImportId
      source_key: string
      versions: number
      imported_by: AccountId | null
      imported_on: Date
    }
    favourite: PersonalListRow & { added_on: Date }
    recently_seen: PersonalListRow & { seen_on: Date }
    artifact_file: { file_id: FileId; project_id: ProjectId; artifact_id: ArtifactId; field_id: FieldId }
    archive_file: { archive_id: number; file_id: FileId }
  }
}

/** Exactly one of the three objects is set. */
interface PersonalListRow {
  account_id: AccountId
  project_id: ProjectId | null
  tracker_id: TrackerId | null
  artifact_id: ArtifactId | null
}
