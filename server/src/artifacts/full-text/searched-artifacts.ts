import { sql } from 'kysely'
import { aliases } from '../../platform/database/aliases.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { isId } from '../../platform/database/ids.ts'
import type { SearchedKind } from '../../projects/search/searched-kind.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { maySeeTracker, fromTracker } from '../../trackers/visibility.ts'
import { fullTextSearch } from './full-text-search.ts'
import { buildSearchSnippets } from './search-snippets.ts'

/** Artifacts are searched by texts, comments and file names. */
export const searchedArtifacts: SearchedKind = {
  type: 'artifact',
  async check({ tx, viewer, tracker }) {
    if (tracker === undefined) return
    const { rows } = isId<TrackerId>(tracker)
      ? await sql`select from ${fromTracker(tracker)} and ${maySeeTracker(viewer, aliases('tracker', 'project'))}`.execute(
          tx,
        )
      : { rows: [] }
    if (rows.length === 0) throw new ApiError('reference_unknown', { path: 'tracker', rule: 'exists' })
  },
  find: fullTextSearch,
  show: buildSearchSnippets,
}
