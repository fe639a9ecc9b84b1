import { sql } from 'kysely'
import { platformZone } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { findSights, isCalled } from '../../trackers/find-sights.ts'
import { linkTypeRules } from '../../trackers/link-types/link-type-rules.ts'
import type { QueryScope } from '../../trackers/search/bind-scope.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { Asker } from '../writing/lookups.ts'
import { askingOf } from './asking.ts'

/** What the names of a query mean in these trackers. `path`: the parameter that it stands in. */
export function scopeOf(asker: Asker, sights: readonly Sight[], path: string, isAcross = false): QueryScope {
  const { context, db, viewer } = asker
  const { query_terms, query_trackers } = context.settings.current
  return {
    sights,
    isAcross,
    path,
    mostTerms: query_terms,
    now: context.clock.now(),
    zone: viewer.time_zone ?? platformZone(context),
    askingOf: (tracker) => askingOf(asker, tracker),
    async sightsOf(itemName) {
      const meant = itemName === undefined ? sql<boolean>`true` : isCalled(itemName)
      const found = await findSights(context, db, viewer, meant, query_trackers)
      if (found.length <= query_trackers) return found
      throw new ApiError('parameter_out_of_range', {
        path,
        rule: 'maximum',
        cause: 'too_many_trackers',
        allowed: { maximum: query_trackers },
      })
    },
    async linkTypes() {
      const rules = await Promise.all(sights.map(({ tracker }) => linkTypeRules(db, tracker.project_id)))
      return rules.flatMap((types) => [...types.values()].flatMap((type) => (type.is_disabled ? [] : type.shortname)))
    },
  }
}
