import type { Id } from '../platform/database/ids.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { ResourceVersion } from '../platform/wire/etag.ts'
import { resourcesBelow } from '../platform/wire/resources.ts'
import type { ProjectFull, ProjectMinimal } from './schemas.ts'

export type ProjectId = Id<'project'>
export type UserGroupId = Id<'user_group'>
export type LabelId = Id<'label'>
export type ProjectServiceId = Id<'project_service'>
export type ProjectStatus = 'active' | 'archived' | 'importing' | 'pending' | 'suspended' | 'deleted' | 'system'
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

/**
 * `services` are the sub-resources that depend on services; all projects have the others. `further`: those of the
 * caller's permissions, which lists leave out.
 */
export function representProject(
  project: Project,
  services: readonly string[],
  further: readonly string[] = [],
): ProjectFull {
  const { id, is_member_of, description, icon } = project
  const types = [
    ...services,
    'project_services',
    'user_groups',
    'heartbeats',
    'labels',
    'link_types',
    'dashboard',
    ...further,
  ]
  return {
    ...representProjectMinimal(project),
    resources: resourcesBelow(`projects/${id}`, types),
    additional_informations: [],
    is_member_of,
    description,
    additional_fields: [],
    icon,
  }
}

/** The sub-resources of one project that depend on the caller and on its content. */
export function furtherResources(
  { account_id, is_site_admin }: Viewer,
  {
    is_admin,
    is_member_of,
    banner,
  }: { readonly is_admin: boolean; readonly is_member_of: boolean; readonly banner: string | null },
): string[] {
  return [
    ...(banner === null ? [] : ['banner']),
    ...(account_id === undefined ? [] : ['watch']),
    ...(is_member_of || is_site_admin ? ['members'] : []),
    ...(is_admin || is_site_admin ? ['audit', 'imports', 'invitations', 'webhooks', 'trash'] : []),
  ]
}
