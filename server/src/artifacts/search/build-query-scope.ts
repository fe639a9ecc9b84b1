import { sql } from 'kysely'
import { platformZone } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { findVisibleTrackers, hasItemName } from '../../trackers/find-visible-trackers.ts'
import { linkTypeRules } from '../../trackers/link-types/link-type-rules.ts'
import type { QueryScope } from '../../trackers/search/bind-scope.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { Asker } from '../reading/audience.ts'
import { buildSearchContext } from './search-context.ts'

/** Resolves the names of a query in these trackers. `path`: the parameter that holds the query. */
export function buildQueryScope(
  asker: Asker,
  accesses: readonly TrackerAccess[],
  path: string,
  isAcross = false,
): QueryScope {
  const { context, db, viewer } = asker
  const { query_terms, query_trackers } = context.settings.current
  return {
    accesses,
    isAcross,
    path,
    mostTerms: query_terms,
    now: context.clock.now(),
    zone: viewer.time_zone ?? platformZone(context),
    searchContextFor: (tracker) => buildSearchContext(asker, tracker),
    async findAccesses(itemName) {
      const meant = itemName === undefined ? sql<boolean>`true` : hasItemName(itemName)
      const found = await findVisibleTrackers(context, db, viewer, meant, query_trackers)
      if (found.length <= query_trackers) return found
      throw new ApiError('parameter_out_of_range', {
        path,
        rule: 'maximum',
        cause: 'too_many_trackers',
        allowed: { maximum: query_trackers },
      })
    },
    async linkTypes() {
      const rules = await Promise.all(accesses.map(({ tracker }) => linkTypeRules(db, tracker.project_id)))
      return rules.flatMap((types) => [...types.values()].flatMap((type) => (type.is_disabled ? [] : type.shortname)))
    },
  }
}
