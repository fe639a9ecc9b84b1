import { findUsersBy } from '../accounts/users/find-users-by.ts'
import type { Tx } from '../platform/database/db.ts'
import { isId } from '../platform/database/ids.ts'
import type { AccountId, Viewer } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { findOwnGroups } from '../projects/groups/find-own-groups.ts'
import { type GroupName, groupParam } from '../projects/groups/user-group-id.ts'
import type { ProjectId } from '../projects/project.ts'
import type { StoredNotification } from './repository.ts'
import type { NewRepositorySettings } from './schemas.ts'

type GivenNotifications = NonNullable<NewRepositorySettings['email_notifications']>

/** Recipients named by the settings: active users who are visible to the caller, and groups of this project. */
export async function resolveNotifications(
  { context, tx, viewer, project_id }: { context: Context; tx: Tx; viewer: Viewer; project_id: ProjectId },
  given: GivenNotifications,
): Promise<StoredNotification[]> {
  const ids = given.flatMap(({ users }) => users.map(toPlainId)).filter((id) => isId<AccountId>(id))
  const seen = await findUsersBy(context, tx, viewer, 'id', ids.map(String))
  const users = new Map(seen.map((user) => [Number(user.name), user]))
  const groups = new Set<number>((await findOwnGroups(tx, project_id)).map(({ id }) => id))
  return given.map((notification, at) => {
    const place = `settings.email_notifications[${at}]`
    return {
      path: notification.path,
      emails: notification.emails,
      users: distinct(notification.users.map((each, n) => resolveUser(users, toPlainId(each), `${place}.users[${n}]`))),
      user_groups: distinct(
        notification.user_groups.map((each, n) =>
          resolveGroup({ groups, project_id }, toPlainId(each), `${place}.user_groups[${n}]`),
        ),
      ),
    }
  })
}

function resolveUser(
  users: ReadonlyMap<number, { id: AccountId; status: string }>,
  id: number,
  path: string,
): AccountId {
  const user = users.get(id)
  if (!user) throw new ApiError('reference_unknown', { path, rule: 'exists' })
  if (user.status !== 'A' && user.status !== 'R') throw new ApiError('user_not_usable', { path })
  return user.id
}

function resolveGroup(
  { groups, project_id }: { groups: ReadonlySet<number>; project_id: ProjectId },
  id: string,
  path: string,
): number {
  const name = parseGroup(id, path)
  const isElsewhere = name.kind !== 'system' && name.project_id !== undefined && name.project_id !== project_id
  if (isElsewhere || (name.kind === 'static' && !groups.has(name.group)))
    throw new ApiError('reference_unknown', { path, rule: 'exists' })
  if (name.kind === 'static' || (name.kind === 'dynamic' && name.group !== 19)) return name.group
  throw new ApiError('parameter_not_allowed', { path, rule: 'one_of', allowed: [`${project_id}_3`, `${project_id}_4`] })
}

function parseGroup(id: string, path: string): GroupName {
  try {
    return groupParam.parse(id, path)
  } catch {
    throw new ApiError('parameter_invalid', { path, rule: 'format' })
  }
}

function toPlainId<T extends number | string>(given: T | { id: T }): T {
  return typeof given === 'object' ? given.id : given
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
