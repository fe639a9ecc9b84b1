import type { Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import type { ProjectId } from '../projects/project.ts'
import { type CommentedLine, tidyAccessText } from './access/access-file.ts'
import { checkAccessFile } from './access/check-access-file.ts'
import { readGround } from './access/read-ground.ts'
import type { AccessRules, RepositoryRules } from './repository.ts'
import { resolveNotifications } from './resolve-notifications.ts'
import type { NewSettings } from './schemas.ts'

interface Reading {
  readonly context: Context
  readonly tx: Tx
  readonly viewer: Viewer
  readonly project_id: ProjectId
}

export interface ReadSettings {
  readonly rules: RepositoryRules
  readonly access: AccessRules
  readonly warnings: readonly CommentedLine[]
}

/** Settings as they are stored, checked against everything that they refer to. */
export async function readSettings(reading: Reading, given: NewSettings): Promise<ReadSettings> {
  const notifications = await resolveNotifications(reading, given.email_notifications ?? [])
  const ground = await readGround(reading.tx, reading.project_id)
  const { text, commented } = tidyAccessText(given.access_file ?? '', ground)
  const access = { text, has_default_permissions: given.has_default_permissions ?? true }
  await checkAccessFile(reading.context.config, ground, access)
  const { commit_rules, immutable_tags } = given
  return {
    rules: {
      is_reference_mandatory: commit_rules?.is_reference_mandatory ?? false,
      is_commit_message_change_allowed: commit_rules?.is_commit_message_change_allowed ?? false,
      required_states: commit_rules?.required_states ?? [],
      moves_to: commit_rules?.moves_to ?? null,
      immutable_paths: immutable_tags?.paths ?? [],
      immutable_whitelist: immutable_tags?.whitelist ?? [],
      notifications,
    },
    access,
    warnings: commented,
  }
}
