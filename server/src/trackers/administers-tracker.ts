import { sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { keepsAccess } from '../projects/administers-project.ts'
import type { TrackerId } from './tracker.ts'
import { administers, fromTracker } from './visibility.ts'

/** Whether the viewer administers the tracker, even if it is deleted or its project is suspended. */
export async function administersTracker(db: Db | Tx, viewer: Viewer, id: TrackerId): Promise<boolean> {
  const { rows } = await sql`
    select from ${fromTracker(id)} and ${keepsAccess(viewer)} and ${administers(viewer, aliases('tracker', 'project'))}`.execute(
    db,
  )
  return rows.length > 0
}
