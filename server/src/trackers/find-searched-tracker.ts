import { sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { isId } from '../platform/database/ids.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { ApiError } from '../platform/messages/errors.ts'
import type { TrackerId } from './tracker.ts'
import { fromTracker, maySeeTracker } from './visibility.ts'

/** The tracker that limits a search: an absent or hidden tracker is an unknown reference. */
export async function findSearchedTracker(db: Db | Tx, viewer: Viewer, id: number): Promise<TrackerId> {
  if (isId<TrackerId>(id)) {
    const sees = maySeeTracker(viewer, aliases('tracker', 'project'))
    const { rows } = await sql`select from ${fromTracker(id)} and ${sees}`.execute(db)
    if (rows.length > 0) return id
  }
  throw new ApiError('reference_unknown', { path: 'tracker', rule: 'exists' })
}
