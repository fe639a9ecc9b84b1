import { queryOptions, useQuery } from '@tanstack/react-query'
import { Eye, EyeOff } from 'lucide-react'
import { api, read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../shell/toasts.ts'
import { text } from './messages.ts'

const trackerWatchQuery = (id: number) =>
  queryOptions({
    queryKey: ['trackers', id, 'watch'],
    staleTime: 60_000,
    queryFn: () => read(api.call('GET /trackers/{id}/watch', { path: { id } })),
  })

/** Watches all changes of a tracker, or returns to the level of its project. */
export function WatchTracker({ id }: { readonly id: number }) {
  const { data: watch } = useQuery(trackerWatchQuery(id))
  const isWatched = watch !== undefined && watch.inherited_from === null && watch.level !== 'none'
  return (
    <Button
      kind="icon"
      aria-pressed={isWatched}
      aria-label={text(isWatched ? 'watch_tracker.stop' : 'watch_tracker.start')}
      onPress={() => void setWatch(id, !isWatched)}
    >
      <Icon of={isWatched ? EyeOff : Eye} />
    </Button>
  )
}

async function setWatch(id: number, isWatched: boolean, isUndo = false): Promise<void> {
  const answer = isWatched
    ? await api.call('PUT /trackers/{id}/watch', { path: { id }, body: { level: 'all' } })
    : await api.call('DELETE /trackers/{id}/watch', { path: { id } })
  await queryClient.invalidateQueries(trackerWatchQuery(id))
  if (!answer.ok) return showRefusal(answer)
  return showToast(
    text(isWatched ? 'watch_tracker.started' : 'watch_tracker.stopped'),
    isUndo ? {} : { undo: () => void setWatch(id, !isWatched, true) },
  )
}
