import { sql } from 'kysely'
import { aliases } from '../../platform/database/aliases.ts'
import { Type } from 'typebox'
import { findUser, userParam } from '../../accounts/users/find-user.ts'
import { permissionError } from '../../accounts/auth-errors.ts'
import type { Catalogue } from '../../platform/messages/catalogue.ts'
import type { Db } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { readRoute } from '../../platform/http/route.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Project, UserGroupId } from '../project.ts'
import { mayEnter } from '../visibility.ts'
import type { DynamicGroup } from './user-group-id.ts'
import { representDynamicGroup, representStaticGroup, UserGroup, withProject } from './user-group.ts'

const STATUS_NAMES = new Map([
  ['A', 'site_active'],
  ['R', 'site_restricted'],
])

export const listMembership = readRoute({
  method: 'GET',
  path: '/users/:id/membership',
  operationId: 'listMembership',
  summary: 'List the groups that a user is in.',
  description:
    'Lists the groups of all projects that an account is in, for its rights elsewhere. The account itself, and site administrators. Others get 403.',
  access: 'signed_in',
  params: { id: userParam },
  query: {
    scope: Type.Optional(Type.Enum(['project'])),
    format: Type.Optional(Type.Enum(['id', 'full'], { description: 'With `scope=project` only.' })),
  },
  pages: 'whole',
  answer: Type.Array(Type.Union([Type.String(), UserGroup])),
  async handle({ context, viewer, params, query: { scope, format }, language }) {
    if (format && !scope) throw new ApiError('parameter_conflict', { path: 'format' })
    const user = await findUser(context, viewer, params.id)
    if (user.id !== viewer.account_id && !viewer.is_site_admin) throw permissionError(viewer, 'owner', 'site_admin')
    const site = STATUS_NAMES.get(user.status)
    const groups = site === undefined ? [] : await loadGroupMemberships(context.db, viewer, user.id)
    if (format === 'full')
      return { body: groups.map((group) => representMembership(group, language)), size: groups.length }
    const names = groups.map(format === 'id' ? membershipId : membershipName)
    const body = site === undefined || scope ? names : [site, ...names]
    return { body, size: body.length }
  },
})

type ProjectRow = Omit<Project, 'description' | 'is_member_of'>
type GroupMembership = ProjectRow &
  (
    | { group: DynamicGroup; group_id: null; group_name: null }
    | { group: null; group_id: UserGroupId; group_name: string }
  )

/** The user's groups in active projects that the viewer may enter: dynamic groups first, then static ones. */
async function loadGroupMemberships(db: Db, viewer: Viewer, user: AccountId): Promise<GroupMembership[]> {
  const { rows } = await sql<GroupMembership>`
    select project.id, project.shortname, project.label, project.icon, project.status, project.access,
      project.is_template, place.group, place.group_id, place.group_name
    from (
      select member.project_id, dynamic.group, null::bigint as group_id, null as group_name
      from project_member member cross join lateral (
        values (3, true), (4, member.is_admin), (19, member.is_svn_admin)
      ) as dynamic ("group", is_in)
      where member.account_id = ${user} and dynamic.is_in
      union all
      select user_group.project_id, null, user_group.id, user_group.short_name
      from user_group_member member
        join user_group on user_group.id = member.user_group_id and user_group.bound_to is null
          or user_group.bound_to = member.user_group_id
      where member.account_id = ${user}
    ) place join project on project.id = place.project_id
    where project.status = 'active' and ${mayEnter(viewer, aliases('project'))}
    order by place.group_id nulls first, project.id, place.group`.execute(db)
  return rows
}

const DYNAMIC_NAMES: Record<DynamicGroup, string> = { 3: 'project_members', 4: 'project_admin', 19: 'svn_admin' }

function membershipName(membership: GroupMembership): string {
  const { group, group_id, shortname } = membership
  return group === null ? `ug_${group_id}` : `${shortname.toLowerCase()}_${DYNAMIC_NAMES[group]}`
}

function membershipId({ group, group_id, id }: GroupMembership): string {
  return group === null ? String(group_id) : `${id}_${group}`
}

function representMembership(membership: GroupMembership, language: Catalogue): UserGroup {
  const { group, group_id, group_name } = membership
  return withProject(
    group === null
      ? representStaticGroup({ id: group_id, short_name: group_name })
      : representDynamicGroup(group, membership, language),
    membership,
  )
}
