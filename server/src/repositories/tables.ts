import type { Generated, JSONColumnType } from 'kysely'
import type { ArtifactId } from '../artifacts/artifact.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import type { ProjectId } from '../projects/project.ts'
import type { RepositoryId, StoredNotification } from './repository.ts'

declare module '../platform/database/db.ts' {
  interface Tables {
    repository: RepositoryTable
    repository_access_file: {
      project_id: ProjectId
      repository_id: RepositoryId
      version: number
      text: string
      has_default_permissions: boolean
      made_by: AccountId | null
      made_on: Date
    }
    repository_revision: {
      project_id: ProjectId
      repository_id: RepositoryId
      revision: number
      account_id: AccountId | null
      author: string | null
      message: string
      committed_on: Date
    }
    repository_move: {
      id: Generated<number>
      project_id: ProjectId
      repository_id: RepositoryId
      digest: string
      artifact_ids: ArtifactId[]
      state: string
      planned_on: Date
    }
    repository_reference: {
      project_id: ProjectId
      repository_id: RepositoryId
      revision: number
      ref: string
      keyword: string
      value: string
      of_project: ProjectId
      target_id: number | null
    }
  }
}

interface RepositoryTable {
  id: Generated<RepositoryId>
  project_id: ProjectId
  name: string
  is_reference_mandatory: Generated<boolean>
  is_commit_message_change_allowed: Generated<boolean>
  required_states: Generated<string[]>
  moves_to: string | null
  immutable_paths: Generated<string[]>
  immutable_whitelist: Generated<string[]>
  access_version: Generated<number>
  notifications: JSONColumnType<StoredNotification[]>
  recorded_revision: Generated<number>
  unrecorded_since: Date | null
  looked_on: Date | null
  version: Generated<number>
  created_by: AccountId | null
  created_on: Date
  deleted_by: AccountId | null
  deleted_on: Date | null
  restoring_on: Date | null
  restoring_name: string | null
  dump_file: string | null
  dump_revision: number | null
  dump_sha256: string | null
}
