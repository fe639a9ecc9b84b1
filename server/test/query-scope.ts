import type { Viewer } from '../src/platform/http/viewer.ts'
import { readDefinition } from '../src/trackers/definition/read-definition.ts'
import type { TrackerDefinition } from '../src/trackers/definition/schemas.ts'
import type { LoadedTracker } from '../src/trackers/load-tracker.ts'
import type { QueryScope } from '../src/trackers/search/bind-scope.ts'
import type { Sight } from '../src/trackers/sight.ts'
import type { PartKind } from '../src/trackers/tables.ts'
import type { Element, GroupNumber, TrackerId } from '../src/trackers/tracker.ts'
import { definitionWorld } from './definition-world.ts'
import { PEOPLE, TOM } from './people.ts'
import { LEADS, ORCHARD } from './places.ts'

/** When all queries of these scopes are asked, in Berlin. */
export const NOW = new Date('2026-03-01T09:30:15.250Z')

/** A tracker that is made from its definition, without a database. Its parts have ids from `first` on. */
export function trackerFrom(definition: TrackerDefinition, id: TrackerId, first: number): LoadedTracker {
  const kinds: readonly PartKind[] = ['element', 'value', 'transition']
  const ids = kinds.map((kind, at): [PartKind, number[]] => [
    kind,
    Array.from({ length: 100 }, (_, index) => first + at * 100 + index),
  ])
  const { structure, named, problems } = readDefinition(definition, definitionWorld(), { ids: new Map(ids) })
  if (problems.length > 0) throw new Error(`The tracker ${id} is wrong: ${JSON.stringify(problems)}`)
  const { elements } = structure
  return {
    ...structure,
    ...named,
    id,
    project_id: ORCHARD,
    version: 1,
    rights_epoch: 1,
    project: {
      id: ORCHARD,
      shortname: 'orchard',
      label: 'Orchard',
      icon: '',
      status: 'active',
      rights_epoch: 1,
      groups: new Map([[LEADS, { id: LEADS, short_name: 'leads' }]]),
      itemNames: new Map(),
    },
    byId: new Map(elements.map((element) => [element.id, element])),
    byName: new Map(elements.filter(({ is_used }) => is_used).map((element) => [element.name, element])),
    stamp: '1.1.1.1',
  }
}

/** As Tom sees it, who is a plain member of Orchard, or whoever is in these groups. */
export function seenBy(
  tracker: LoadedTracker,
  groups: readonly GroupNumber[] = [1, 5, 2, 3],
  who: Viewer = VIEWER,
): Sight {
  const mayRead = ({ rights }: Element) => rights === null || rights.read.some((group) => groups.includes(group))
  return {
    tracker,
    viewer: who,
    groups: new Set(groups),
    administers: groups.includes(4),
    readable: tracker.elements.filter((element) => element.is_used && mayRead(element)),
    mayRead,
    maySubmit: () => false,
    mayUpdate: () => false,
  }
}

const VIEWER: Viewer = { account_id: TOM.id, login: TOM.login, language: null, time_zone: 'Europe/Berlin' }

/** What names mean in these trackers, which are all that there are. */
export function scopeOf(sights: readonly Sight[], more: Partial<QueryScope> = {}): QueryScope {
  return {
    sights,
    isAcross: false,
    now: NOW,
    zone: 'Europe/Berlin',
    path: 'expert_query',
    mostTerms: 30,
    linkTypes: async () => ['_is_child', '_covered_by', 'blocks'],
    sightsOf: async (name) => sights.filter(({ tracker }) => name === undefined || tracker.item_name === name),
    askingOf: (tracker) => ({
      viewer: sights.find((sight) => sight.tracker === tracker)?.viewer ?? VIEWER,
      now: NOW,
      zone: 'Europe/Berlin',
      tracker,
      findUser: async (login) => PEOPLE.find((person) => person.login === login.toLowerCase())?.id,
      findOpenValue: async (_, label) => (label.toLowerCase() === 'mud' ? 9 : undefined),
    }),
    ...more,
  }
}

export const ANONYMOUS: Viewer = { language: null, time_zone: null }
