import type { Generated } from 'kysely'
import type { AccountId } from '../platform/http/viewer.ts'
import type { LabelId, ProjectAccess, ProjectId, ProjectServiceId, ProjectStatus, UserGroupId } from './project.ts'

declare module '../platform/database/db.ts' {
  interface Tables {
    project: ProjectTable
    project_member: {
      project_id: ProjectId
      account_id: AccountId
      is_admin: Generated<boolean>
      is_svn_admin: Generated<boolean>
      added_on: Date
    }
    user_group: {
      id: Generated<UserGroupId>
      project_id: ProjectId
      short_name: string
      description: Generated<string>
      bound_to: UserGroupId | null
      created_on: Date
    }
    user_group_member: { project_id: ProjectId; user_group_id: UserGroupId; account_id: AccountId }
    label: {
      id: Generated<LabelId>
      project_id: ProjectId
      label: string
      is_outline: Generated<boolean>
      color: string
    }
    project_service: {
      id: Generated<ProjectServiceId>
      project_id: ProjectId
      name: string
      label: string
      is_enabled: boolean
      icon: Generated<string>
      is_custom: Generated<boolean>
      url: string | null
    }
  }
}

interface ProjectTable {
  id: Generated<ProjectId>
  shortname: string
  label: string
  icon: Generated<string>
  description: Generated<string>
  status: ProjectStatus
  access: ProjectAccess
  is_template: Generated<boolean>
  banner: string | null
  created_by: AccountId | null
  created_on: Date
  version: Generated<number>
  rights_epoch: Generated<number>
  deleted_by: AccountId | null
  deleted_on: Date | null
  deleted_status: ProjectStatus | null
  purge_begun_on: Date | null
}
