import { sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { ProjectId } from './project.ts'
import { mayEnter } from './visibility.ts'

/** Those of these projects that the viewer may enter. */
export async function enterableProjects(
  db: Db | Tx,
  viewer: Viewer,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select project.id from project where project.id = any(${ids}::bigint[]) and ${mayEnter(viewer, aliases('project'))}`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** The same with what links to them show. */
export async function findEnterableProjects(
  db: Db | Tx,
  viewer: Viewer,
  ids: readonly ProjectId[],
): Promise<readonly { id: ProjectId; shortname: string; label: string; icon: string }[]> {
  const { rows } = await sql<{ id: ProjectId; shortname: string; label: string; icon: string }>`
    select project.id, project.shortname, project.label, project.icon from project
    where project.id = any(${ids}::bigint[]) and ${mayEnter(viewer, aliases('project'))}`.execute(db)
  return rows
}
