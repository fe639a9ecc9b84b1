import type { SearchedKind } from '../../projects/search/searched-kind.ts'
import { findSearchedTracker } from '../../trackers/find-searched-tracker.ts'
import { fullTextSearch } from './full-text-search.ts'
import { buildSearchSnippets } from './search-snippets.ts'

/** Artifacts are searched by texts, comments and file names. */
export const searchedArtifacts: SearchedKind = {
  type: 'artifact',
  async check({ tx, viewer, tracker }) {
    if (tracker !== undefined) await findSearchedTracker(tx, viewer, tracker)
  },
  find: fullTextSearch,
  show: buildSearchSnippets,
}
