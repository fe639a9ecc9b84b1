import { Type } from 'typebox'
import { readJsonQuery } from '../../platform/wire/json-query.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import type { SettingValues } from '../../platform/operation/settings.ts'
import { findProject } from '../find-project.ts'
import type { Project, ProjectId } from '../project.ts'
import { DYNAMIC_GROUPS, type SystemGroup } from './user-group-id.ts'
import { representDynamicGroup, representStaticGroup, representSystemGroup, UserGroupOfProject } from './user-group.ts'

const Query = Type.Object({ with_system_user_groups: Type.Optional(Type.Boolean()) })

export const listUserGroups = readRoute({
  method: 'GET',
  path: '/projects/:id/user_groups',
  operationId: 'listUserGroups',
  summary: 'List the user groups of a project.',
  description:
    'Lists fixed groups (members, administrators) and those of the project. Everyone who may see the project. Hidden and absent objects are 404, for anonymous callers 401.',
  access: 'everyone',
  params: { id: idParam<ProjectId>('The project.') },
  query: { query: Type.Optional(Type.String({ description: '`{"with_system_user_groups":true}`' })) },
  pages: 'whole',
  answer: Type.Array(UserGroupOfProject),
  async handle({ context, viewer, params, query, language }) {
    const { with_system_user_groups = false } = readJsonQuery(Query, query.query)
    const project = await findProject(context.db, viewer, params.id)
    const rows = await context.db
      .selectFrom('user_group')
      .select(['id', 'short_name'])
      .where('project_id', '=', project.id)
      .orderBy('id')
      .execute()
    const system = with_system_user_groups ? systemGroupsOf(project, context.settings.current) : []
    const groups = [
      ...system.map((group) => representSystemGroup(group, language)),
      ...DYNAMIC_GROUPS.map((group) => representDynamicGroup(group, project, language)),
      ...rows.map(representStaticGroup),
    ]
    return { body: groups, size: groups.length }
  },
})

/** The platform groups whose members may enter this project. */
function systemGroupsOf({ access }: Project, { anonymous_access, restricted_users }: SettingValues): SystemGroup[] {
  const isOpen = access === 'public' || access === 'unrestricted'
  const groups: [SystemGroup, boolean][] = [
    [1, isOpen && anonymous_access],
    [2, isOpen],
    [5, access === 'unrestricted' && restricted_users],
  ]
  return groups.filter(([, isAdmitted]) => isAdmitted).map(([group]) => group)
}
