import { queryOptions } from '@tanstack/react-query'
import type { Watch } from '@waypost/sdk/api'
import { api, read } from '../api.ts'
import { ENGLISH } from '../messages/english.ts'
import { createMessages } from '../messages/text.ts'
import { WATCHING } from '../messages/watching.ts'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'

export const { text } = createMessages({ ...ENGLISH, ...WATCHING })

export type WatchLevel = Watch['level']
export type WatchedKind = 'project' | 'tracker' | 'artifact'

/** An object that can be watched. */
export interface Watched {
  readonly kind: WatchedKind
  readonly id: number
}

const READ = {
  project: 'GET /projects/{id}/watch',
  tracker: 'GET /trackers/{id}/watch',
  artifact: 'GET /artifacts/{id}/watch',
} as const
const SET = {
  project: 'PUT /projects/{id}/watch',
  tracker: 'PUT /trackers/{id}/watch',
  artifact: 'PUT /artifacts/{id}/watch',
} as const
const REMOVE = {
  project: 'DELETE /projects/{id}/watch',
  tracker: 'DELETE /trackers/{id}/watch',
  artifact: 'DELETE /artifacts/{id}/watch',
} as const

export const watchQuery = ({ kind, id }: Watched) =>
  queryOptions({
    queryKey: [`${kind}s`, id, 'watch'],
    queryFn: (): Promise<Watch> => read(api.call(READ[kind], { path: { id } })),
  })

/** Switches between all changes and the inherited level. */
export async function toggleWatch(watched: Watched): Promise<void> {
  const watch = await queryClient.ensureQueryData(watchQuery(watched))
  await setWatchLevel(watched, watch, watch.inherited_from === null ? undefined : 'all')
}

/** Undefined removes the level of its own: that of what contains it applies. */
export async function setWatchLevel(
  watched: Watched,
  before: Watch | undefined,
  level: WatchLevel | undefined,
  isUndo = false,
): Promise<void> {
  const { kind, id } = watched
  const { queryKey } = watchQuery(watched)
  if (level !== undefined) queryClient.setQueryData(queryKey, { level, inherited_from: null })
  const answer =
    level === undefined
      ? await api.call(REMOVE[kind], { path: { id } })
      : await api.call(SET[kind], { path: { id }, body: { level } })
  await queryClient.invalidateQueries({ queryKey })
  await queryClient.invalidateQueries({ queryKey: [`${kind}s`, id, 'watchers'] })
  if (!answer.ok) return showRefusal(answer)
  const earlier = before?.inherited_from === null ? before.level : undefined
  const done = level === undefined ? text('watch.off') : text('watch.on', { level: text(`level.${level}`) })
  return showToast(done, isUndo ? {} : { undo: () => void setWatchLevel(watched, undefined, earlier, true) })
}
