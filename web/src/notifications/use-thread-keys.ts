import type { NotificationThread } from '@waypost/sdk/api'
import type { RefObject } from 'react'
import { useRowFocus } from '../shell/use-row-focus.ts'
import { useShortcuts } from '../shell/use-shortcuts.ts'
import { markAllThreads, markThread } from './mark-threads.ts'

/** An entry whose snooze menu is open. */
export interface SnoozedEntry {
  readonly id: number
  /** The element beside which it opens. */
  readonly anchor: HTMLElement
}

/**
 * `j` and `k` move the focus through the threads, `e` marks the one in focus as read and goes on, `h` snoozes it, `E`
 * marks all.
 */
export function useThreadKeys(
  list: RefObject<HTMLElement | null>,
  threads: readonly NotificationThread[],
  onSnooze: (entry: SnoozedEntry) => void,
): void {
  const { focus, current, currentIndex } = useRowFocus(list, '[data-thread]')
  const finish = () => {
    const index = currentIndex()
    const thread = threads[index]
    if (!thread || thread.is_read) return
    focus(index + 1 < threads.length ? index + 1 : index - 1)
    void markThread(thread, true)
  }
  useShortcuts({
    e: finish,
    h: () => {
      const [thread, row] = [threads[currentIndex()], current()]
      if (thread && row) onSnooze({ id: thread.id, anchor: row.querySelector<HTMLElement>('[data-snooze]') ?? row })
    },
    E: () => {
      if (threads.some(({ is_read }) => !is_read)) void markAllThreads(threads)
    },
  })
}
