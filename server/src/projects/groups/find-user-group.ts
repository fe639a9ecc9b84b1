import { type RawBuilder, sql } from 'kysely'
import { hiddenError } from '../../accounts/auth-errors.ts'
import type { Catalogue } from '../../platform/messages/catalogue.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { findProject, type FoundProject } from '../find-project.ts'
import type { ProjectId, UserGroupId } from '../project.ts'
import type { DynamicGroup, GroupName, SystemGroup } from './user-group-id.ts'
import {
  representDynamicGroup,
  representStaticGroup,
  representSystemGroup,
  type UserGroupOfProject,
} from './user-group.ts'

interface StaticGroup {
  id: UserGroupId
  short_name: string
  bound_to: UserGroupId | null
}

export type FoundGroup =
  | { readonly kind: 'system'; readonly group: SystemGroup; readonly project: null }
  | GroupOfProject
export type GroupOfProject =
  | { readonly kind: 'dynamic'; readonly group: DynamicGroup; readonly project: FoundProject }
  | { readonly kind: 'static'; readonly group: StaticGroup; readonly project: FoundProject }

/** Finds a group in a project that the viewer may enter. System groups are visible to everyone. */
export async function findUserGroup(db: Db | Tx, viewer: Viewer, name: GroupName): Promise<FoundGroup> {
  if (name.kind === 'system') return { ...name, project: null }
  if (name.kind === 'static') {
    const { project_id, ...group } = await findStaticGroup(db, viewer, name.group)
    // A group id qualified with another project does not match.
    if (name.project_id !== undefined && name.project_id !== project_id) throw hiddenError(viewer)
    return { kind: 'static', group, project: await findProject(db, viewer, project_id) }
  }
  const project = await findProject(db, viewer, name.project_id)
  if (name.kind === 'absent') throw hiddenError(viewer)
  return { ...name, project }
}

/** For member lists, which system groups do not have. */
export async function findGroupOfProject(db: Db | Tx, viewer: Viewer, name: GroupName): Promise<GroupOfProject> {
  const found = await findUserGroup(db, viewer, name)
  if (found.kind === 'system') throw hiddenError(viewer)
  return found
}

export function representGroup(found: FoundGroup, language: Catalogue): UserGroupOfProject {
  if (found.kind === 'system') return representSystemGroup(found.group, language)
  if (found.kind === 'dynamic') return representDynamicGroup(found.group, found.project, language)
  return representStaticGroup(found.group)
}

/** Whether the `project_member` row `member` belongs to the dynamic group. */
const GROUP_CONDITIONS: Record<DynamicGroup, RawBuilder<boolean>> = {
  3: sql`true`,
  4: sql`member.is_admin`,
  19: sql`member.is_svn_admin`,
}

/** Subquery for the ids of the accounts in a group. A bound group has the members of its source. */
export function groupAccounts(found: GroupOfProject): RawBuilder<unknown> {
  if (found.kind === 'static')
    return sql`select user_group_member.account_id from user_group_member
      where user_group_member.user_group_id = ${found.group.bound_to ?? found.group.id}`
  return sql`select member.account_id from project_member member
    where member.project_id = ${found.project.id} and ${GROUP_CONDITIONS[found.group]}`
}

async function findStaticGroup(
  db: Db | Tx,
  viewer: Viewer,
  id: UserGroupId,
): Promise<StaticGroup & { project_id: ProjectId }> {
  const group = await db
    .selectFrom('user_group')
    .select(['id', 'short_name', 'bound_to', 'project_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!group) throw hiddenError(viewer)
  return group
}
