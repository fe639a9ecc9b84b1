import type { Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import type { ProjectId } from '../projects/project.ts'
import { type CommentedLine, normalizeAccessText } from './access/access-file.ts'
import { checkAccessFile } from './access/check-access-file.ts'
import { loadAccessInputs } from './access/load-access-inputs.ts'
import type { AccessRules, RepositoryRules } from './repository.ts'
import { resolveNotifications } from './resolve-notifications.ts'
import type { NewRepositorySettings } from './schemas.ts'

interface SettingsScope {
  readonly context: Context
  readonly tx: Tx
  readonly viewer: Viewer
  readonly project_id: ProjectId
}

export interface ResolvedSettings {
  readonly rules: RepositoryRules
  readonly access: AccessRules
  readonly warnings: readonly CommentedLine[]
}

/** The settings in their stored form, with all references checked. */
export async function resolveSettings(scope: SettingsScope, given: NewRepositorySettings): Promise<ResolvedSettings> {
  const notifications = await resolveNotifications(scope, given.email_notifications ?? [])
  const inputs = await loadAccessInputs(scope.tx, scope.project_id)
  const { text, commented } = normalizeAccessText(given.access_file ?? '', inputs)
  const access = { text, has_default_permissions: given.has_default_permissions ?? true }
  await checkAccessFile(scope.context.config, inputs, access)
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
