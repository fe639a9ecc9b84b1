import { type Static, Type } from 'typebox'
import { type Catalogue, getMessage } from '../../platform/messages/catalogue.ts'
import type { Project, ProjectId, UserGroupId } from '../project.ts'
import { representProjectMinimal } from '../project.ts'
import { ProjectMinimal } from '../schemas.ts'
import type { DynamicGroup, SystemGroup } from './user-group-id.ts'

export const UserGroupOfProject = Type.Object(
  {
    id: Type.String(),
    uri: Type.String(),
    label: Type.String({ description: 'In the language of the caller. Names are not translated.' }),
    users_uri: Type.String(),
    short_name: Type.String(),
    key: Type.String(),
    additional_information: Type.Object({}),
  },
  { title: 'UserGroupOfProject' },
)
export type UserGroupOfProject = Static<typeof UserGroupOfProject>

export const UserGroup = Type.Object(
  { ...UserGroupOfProject.properties, project: Type.Union([ProjectMinimal, Type.Null()]) },
  { title: 'UserGroup' },
)
export type UserGroup = Static<typeof UserGroup>

interface GroupNames {
  short_name: string
  key: string
}

const SYSTEM_NAMES: Record<SystemGroup, GroupNames> = {
  1: { short_name: 'all_users', key: 'ugroup_anonymous_users_name_key' },
  2: { short_name: 'registered_users', key: 'ugroup_registered_users_name_key' },
  5: { short_name: 'authenticated_users', key: 'ugroup_authenticated_users_name_key' },
  100: { short_name: 'nobody', key: 'ugroup_nobody_name_key' },
}

const DYNAMIC_NAMES: Record<DynamicGroup, GroupNames> = {
  3: { short_name: 'project_members', key: 'ugroup_project_members_name_key' },
  4: { short_name: 'project_admins', key: 'ugroup_project_admins_name_key' },
  19: { short_name: 'svn_admins', key: 'svn_admins' },
}

/** Reserved names of built-in groups, which a static group may not have. */
export const TAKEN_NAMES: ReadonlySet<string> = new Set(
  [...Object.values(SYSTEM_NAMES), ...Object.values(DYNAMIC_NAMES)].map(({ short_name }) => short_name),
)

export function representSystemGroup(group: SystemGroup, language: Catalogue): UserGroupOfProject {
  return representGroupNames(String(group), SYSTEM_NAMES[group], language)
}

export function representDynamicGroup(
  group: DynamicGroup,
  project: { id: ProjectId },
  language: Catalogue,
): UserGroupOfProject {
  return representGroupNames(`${project.id}_${group}`, DYNAMIC_NAMES[group], language)
}

/** Names of custom groups are not translated. */
export function representStaticGroup({ id, short_name }: { id: UserGroupId; short_name: string }): UserGroupOfProject {
  return representGroupNames(String(id), { short_name, key: short_name })
}

export function withProject(
  group: UserGroupOfProject,
  project: Omit<Project, 'description' | 'is_member_of'> | null,
): UserGroup {
  return { ...group, project: project && representProjectMinimal(project) }
}

function representGroupNames(id: string, { short_name, key }: GroupNames, language?: Catalogue): UserGroupOfProject {
  return {
    id,
    uri: `user_groups/${id}`,
    label: language ? getMessage(language, `group.${short_name}`) : short_name,
    users_uri: `user_groups/${id}/users`,
    short_name,
    key,
    additional_information: {},
  }
}
