import { findVisibleUsers } from '../accounts/users/find-users-by.ts'
import { representUserMinimal } from '../accounts/users/user.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import type { Catalogue } from '../platform/messages/catalogue.ts'
import { findOwnGroups } from '../projects/groups/find-own-groups.ts'
import { DYNAMIC_GROUPS } from '../projects/groups/user-group-id.ts'
import { representDynamicGroup, representStaticGroup } from '../projects/groups/user-group.ts'
import type { StoredRepository } from './find-repository.ts'
import type { RepositorySettings } from './schemas.ts'

export interface SettingsAudience {
  readonly context: Context
  readonly db: Db | Tx
  readonly viewer: Viewer
  readonly language: Catalogue
}

/** The settings for a repository administrator; users who are hidden from the viewer are omitted. */
export async function representSettings(
  { context, db, viewer, language }: SettingsAudience,
  repository: Omit<StoredRepository, 'id' | 'version' | 'access_version'>,
): Promise<RepositorySettings> {
  const { project_id, notifications, access } = repository
  const people = await findVisibleUsers(
    context,
    db,
    viewer,
    notifications.flatMap(({ users }) => users),
  )
  const groups = await findOwnGroups(db, project_id)
  const groupOf = (number: number) => {
    const dynamic = DYNAMIC_GROUPS.find((each) => each === number)
    if (dynamic) return [representDynamicGroup(dynamic, { id: project_id }, language)]
    return groups.filter(({ id }) => id === number).map(representStaticGroup)
  }
  return {
    commit_rules: {
      is_reference_mandatory: repository.is_reference_mandatory,
      is_commit_message_change_allowed: repository.is_commit_message_change_allowed,
      ...(repository.required_states.length > 0 && { required_states: [...repository.required_states] }),
      ...(repository.moves_to !== null && { moves_to: repository.moves_to }),
    },
    immutable_tags: { paths: [...repository.immutable_paths], whitelist: [...repository.immutable_whitelist] },
    access_file: access.text,
    email_notifications: notifications.map(({ path, emails, users, user_groups }) => ({
      path,
      emails: [...emails],
      users: users.flatMap((id) => people.get(id) ?? []).map((user) => representUserMinimal(context, user)),
      user_groups: user_groups.flatMap(groupOf),
    })),
    has_default_permissions: access.has_default_permissions,
  }
}
