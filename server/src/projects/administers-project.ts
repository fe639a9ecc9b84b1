import { type RawBuilder, sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { inGroup } from './groups/in-group.ts'
import type { ProjectId } from './project.ts'
import { isReadableStatus, mayEnter } from './visibility.ts'

const PROJECT_ADMINS = sql`4`

/** Whether the viewer administers the project, even if it is suspended. */
export async function administersProject(db: Db | Tx, viewer: Viewer, id: ProjectId): Promise<boolean> {
  if (viewer.is_site_admin) return true
  const { rows } = await sql`
    select from project where project.id = ${id} and ${keepsAccess(viewer)} and ${inGroup(viewer, aliases('project'), PROJECT_ADMINS)}`.execute(
    db,
  )
  return rows.length > 0
}

/** Whether the viewer may enter the `project` row, or could if its status allowed it. */
export function keepsAccess(viewer: Viewer): RawBuilder<boolean> {
  return sql`(not ${isReadableStatus} or ${mayEnter(viewer, aliases('project'))})`
}
