import type { Id } from '../platform/database/ids.ts'
import type { ResourceVersion } from '../platform/wire/etag.ts'
import type { ProjectFull, ProjectMinimal } from './schemas.ts'

export type ProjectId = Id<'project'>
export type UserGroupId = Id<'user_group'>
export type LabelId = Id<'label'>
export type ProjectServiceId = Id<'project_service'>
export type ProjectStatus = 'active' | 'archived' | 'pending' | 'suspended' | 'deleted' | 'system'
export type ProjectAccess = 'public' | 'unrestricted' | 'private' | 'private-wo-restr'

/** Ids up to this one are reserved for the default template and the platform. */
export const MAX_RESERVED_ID = 100

export interface Project {
  id: ProjectId
  shortname: string
  label: string
  icon: string
  description: string
  status: ProjectStatus
  access: ProjectAccess
  is_template: boolean
  is_member_of: boolean
}

export function projectVersion({ id, version }: { id: ProjectId; version: number }): ResourceVersion {
  return { kind: 'project', id, version }
}

export function representProjectMinimal(project: Omit<Project, 'description' | 'is_member_of'>): ProjectMinimal {
  const { id, icon, label, shortname, status, access, is_template } = project
  return {
    id,
    uri: `projects/${id}`,
    label: icon === '' ? label : `${icon} ${label}`,
    label_without_icon: label,
    shortname,
    status,
    access,
    is_template,
  }
}

/** `services` are the sub-resources that depend on services; all projects have the others. */
export function representProject(project: Project, services: readonly string[]): ProjectFull {
  const { id, is_member_of, description, icon } = project
  const types = [...services, 'project_services', 'user_groups', 'heartbeats', 'labels']
  return {
    ...representProjectMinimal(project),
    resources: types.map((type) => ({ type, uri: `projects/${id}/${type}` })),
    additional_informations: [],
    is_member_of,
    description,
    additional_fields: [],
    icon,
  }
}
