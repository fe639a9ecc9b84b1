import type { NotificationThread } from '@waypost/sdk/api'
import { api } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'
import { type InboxThreads, THREADS_KEY } from './inbox-query.ts'
import { text } from './messages.ts'
import { snoozeTimeText } from './snooze-times.ts'

/** Hides a thread until then. It is unread when it comes back; undo restores that it was read. */
export async function snoozeThread(thread: NotificationThread, until: Date): Promise<void> {
  hideThread(thread.id)
  const isDone = await patch(thread.entries, { snoozed_until: until.toISOString() })
  const undo = () => void patch(thread.entries, { snoozed_until: null, ...(thread.is_read && { is_read: true }) })
  if (isDone) showToast(text('inbox.snoozed', { when: snoozeTimeText(until) }), { undo })
}

/** Shows a snoozed thread in the inbox again. */
export async function wakeThread(thread: NotificationThread): Promise<void> {
  const until = thread.latest.snoozed_until
  hideThread(thread.id)
  const isDone = await patch(thread.entries, { snoozed_until: null })
  if (isDone) showToast(text('inbox.woken'), { undo: () => void patch(thread.entries, { snoozed_until: until }) })
}

async function patch(
  ids: readonly number[],
  change: { readonly snoozed_until: string | null; readonly is_read?: boolean },
): Promise<boolean> {
  const answer = await api.call('PATCH /notifications', { body: { ids: [...ids], ...change } })
  if (!answer.ok) showRefusal(answer)
  await queryClient.invalidateQueries({ queryKey: ['notifications'] })
  return answer.ok
}

/** Before the server has answered. */
function hideThread(id: number): void {
  queryClient.setQueriesData<InboxThreads>({ queryKey: THREADS_KEY }, (shown) =>
    shown ? { ...shown, threads: shown.threads.filter((thread) => thread.id !== id) } : shown,
  )
}
