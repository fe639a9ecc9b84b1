import { sql } from 'kysely'
import { aliases } from '../../platform/database/aliases.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { isId } from '../../platform/database/ids.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { ProjectId } from '../project.ts'
import { mayEnter } from '../visibility.ts'

/** The project that limits a search: an absent or hidden project is an unknown reference. */
export async function findSearchedProject(db: Db | Tx, viewer: Viewer, id: number): Promise<ProjectId> {
  const { rows } = await sql<{ id: ProjectId }>`
    select project.id from project where project.id = ${id} and ${mayEnter(viewer, aliases('project'))}`.execute(db)
  const [found] = isId<ProjectId>(id) ? rows : []
  if (!found) throw new ApiError('reference_unknown', { path: 'project', rule: 'exists' })
  return found.id
}
