import { type RawBuilder, sql } from 'kysely'
import { permissionError } from '../accounts/auth-errors.ts'
import { aliases } from '../platform/database/aliases.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { ApiError } from '../platform/messages/errors.ts'
import type { SettingValues } from '../platform/operation/settings.ts'
import { mayEnter } from './visibility.ts'

/** The reason why the viewer may not create projects, if any. */
export function creationRefusal(viewer: Viewer, { project_creation }: SettingValues): ApiError | undefined {
  if (viewer.is_site_admin) return undefined
  if (viewer.is_restricted) return new ApiError('permission_denied', { cause: 'restricted_account' })
  return project_creation === 'site_admins' ? permissionError(viewer, 'site_admin') : undefined
}

/** Whether the viewer may copy the `project` row. The default template is in no other list. */
export function isUsableTemplate(viewer: Viewer): RawBuilder<boolean> {
  return sql`(project.is_template
    and (project.status = 'system' or (project.status = 'active' and ${mayEnter(viewer, aliases('project'))})))`
}
