import { toId } from '../src/platform/database/ids.ts'
import type { AccountId } from '../src/platform/http/viewer.ts'
import { groupNames, type NamedTracker, type World } from '../src/trackers/definition/world.ts'
import type { TrackerId } from '../src/trackers/tracker.ts'
import { TOM } from './people.ts'
import { LEADS, ORCHARD } from './places.ts'

/** What documents may refer to in Orchard, without a database. */
export function definitionWorld(
  trackers: readonly NamedTracker[] = [],
  parents: ReadonlyMap<TrackerId, TrackerId> = new Map(),
): World {
  return {
    ...groupNames([{ id: LEADS, short_name: 'leads' }]),
    project_id: ORCHARD,
    trackers,
    trackerNamed: (name) => trackers.find((each) => each.name === name),
    accountNamed: (login) => ACCOUNTS.get(login),
    loginOf: (id) => ACCOUNTS.entries().find(([, account]) => account.id === id)?.[0] ?? '',
    linkTypes: new Set(['_is_child']),
    isTaken: (name) => name === 'taken',
    parentOf: (id) => parents.get(id) ?? null,
  }
}

const ACCOUNTS = new Map([
  ['tom', { id: TOM.id, isUsable: true }],
  ['sam', { id: toId<AccountId>(1008), isUsable: false }],
])
