import { findLogin } from '../../accounts/users/find-login.ts'
import { platformZone } from '../../platform/operation/context.ts'
import { findOpenValue } from '../../trackers/binds/population.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { SearchContext } from '../../trackers/search/field-search.ts'
import type { Asker } from '../reading/audience.ts'

export function buildSearchContext({ context, db, viewer }: Asker, tracker: LoadedTracker): SearchContext {
  return {
    viewer,
    now: context.clock.now(),
    zone: viewer.time_zone ?? platformZone(context),
    tracker,
    findUser: (login) => findLogin(context, db, viewer, login),
    findOpenValue: async (field, label) => (await findOpenValue(db, field, { label }))?.id,
  }
}
