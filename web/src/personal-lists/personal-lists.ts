import { queryOptions } from '@tanstack/react-query'
import type { ListedObject } from '@waypost/sdk/api'
import { api, read } from '../api.ts'

export type ListedKind = ListedObject['kind']

/** The objects that the viewer has marked with a star. */
export const favouritesQuery = queryOptions({
  queryKey: ['favourites'],
  staleTime: 60_000,
  queryFn: () => read(api.call('GET /users/self/favourites')),
})

/** The objects that the viewer has opened, newest first. */
export const recentlySeenQuery = queryOptions({
  queryKey: ['recently-seen'],
  staleTime: 60_000,
  queryFn: () => read(api.call('GET /users/self/recently_seen')),
})

const MAX_CARDS = 4
const MIN_STARRED_CARDS = 2

export interface HomeCard {
  readonly object: ListedObject
  readonly isFavourite: boolean
}

/** The cards of the home page: what was seen last, then favourites. If there are few of one, more of the other are shown. */
export function chooseCards(favourites: readonly ListedObject[], recent: readonly ListedObject[]): readonly HomeCard[] {
  const starred = new Set(favourites.map(({ uri }) => uri))
  // A project is one step away in the sidebar.
  const seen = recent.filter(({ kind, uri }) => kind !== 'project' && !starred.has(uri))
  const shownStarred = favourites.slice(0, Math.max(MIN_STARRED_CARDS, MAX_CARDS - seen.length))
  const shownSeen = seen.slice(0, MAX_CARDS - shownStarred.length)
  return [
    ...shownSeen.map((object) => ({ object, isFavourite: false })),
    ...shownStarred.map((object) => ({ object, isFavourite: true })),
  ]
}
