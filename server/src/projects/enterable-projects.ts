import { sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
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
