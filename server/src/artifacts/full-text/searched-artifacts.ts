import { sql } from 'kysely'
import { ApiError } from '../../platform/words/errors.ts'
import { isId } from '../../platform/database/ids.ts'
import type { SearchedKind } from '../../projects/search/searched-kind.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { maySeeTracker, oneTracker } from '../../trackers/visibility.ts'
import { findSaying } from './find-saying.ts'
import { showSaying } from './show-saying.ts'

/** Artifacts are found by their texts, their comments and the names of their files. */
export const searchedArtifacts: SearchedKind = {
  type: 'artifact',
  async check({ tx, viewer, tracker }) {
    if (tracker === undefined) return
    const { rows } = isId<TrackerId>(tracker)
      ? await sql`select from ${oneTracker(tracker)} and ${maySeeTracker(viewer)}`.execute(tx)
      : { rows: [] }
    if (rows.length === 0) throw new ApiError('reference_unknown', { path: 'tracker', rule: 'exists' })
  },
  find: findSaying,
  show: showSaying,
}
