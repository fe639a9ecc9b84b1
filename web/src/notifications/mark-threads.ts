import type { NotificationThread } from '@waypost/sdk/api'
import { api } from '../api.ts'
import { text } from '../messages/text.ts'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'
import { type InboxThreads, THREADS_KEY } from './inbox-query.ts'

const NOTIFICATIONS_KEY = ['notifications']

/** Marks all entries of a thread as read, or its newest one as unread. */
export async function markThread({ id, entries }: NotificationThread, is_read: boolean): Promise<void> {
  showAsRead([id], is_read)
  const changed = await markEntries(is_read ? entries : [id], is_read)
  if (changed) {
    const undo = () => void markEntries(changed, !is_read)
    showToast(text(is_read ? 'inbox.marked' : 'inbox.unmarked'), { undo })
  }
}

/** Marks a thread that is being opened; nothing is reported. */
export async function markOpened({ id, entries, is_read }: NotificationThread): Promise<void> {
  if (is_read) return
  showAsRead([id], true)
  await markEntries(entries, true)
}

/** Marks all entries up to the newest that is shown; later ones stay unread. */
export async function markAllThreads(threads: readonly NotificationThread[]): Promise<void> {
  const until = Math.max(...threads.map(({ id }) => id))
  showAsRead(
    threads.map(({ id }) => id),
    true,
  )
  const answer = await api.call('POST /notifications/read', { body: { until } })
  if (answer.ok) {
    const { ids } = answer.body
    showToast(text('inbox.all_marked'), { undo: () => void markEntries(ids, false) })
  } else showRefusal(answer)
  await queryClient.invalidateQueries({ queryKey: NOTIFICATIONS_KEY })
}

/** The entries that have changed; undefined: the server has refused, which is shown. */
async function markEntries(ids: readonly number[], is_read: boolean): Promise<readonly number[] | undefined> {
  const answer = await api.call('PATCH /notifications', { body: { ids: [...ids], is_read } })
  if (!answer.ok) showRefusal(answer)
  await queryClient.invalidateQueries({ queryKey: NOTIFICATIONS_KEY })
  return answer.ok ? answer.body.changed : undefined
}

/** Before the server has answered. */
function showAsRead(ids: readonly number[], is_read: boolean): void {
  queryClient.setQueriesData<InboxThreads>({ queryKey: THREADS_KEY }, (shown) => {
    if (!shown) return shown
    const changed = shown.threads.filter((thread) => ids.includes(thread.id) && thread.is_read !== is_read).length
    return {
      ...shown,
      unread: Math.max(0, shown.unread + (is_read ? -changed : changed)),
      threads: shown.threads.map((thread) => (ids.includes(thread.id) ? { ...thread, is_read } : thread)),
    }
  })
}
