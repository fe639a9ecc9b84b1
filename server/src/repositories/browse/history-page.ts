import type { Pagination, KeysetPosition } from '../../platform/http/pages.ts'
import type { History } from './engine/history.ts'

interface HistoryPage {
  readonly begin: number
  readonly end: number
  /** The newest and the oldest revision on the page. */
  readonly first: number
  readonly last: number
  readonly next: KeysetPosition | undefined
}

/** The slice of a history for a page; undefined if it is empty. */
export function getHistoryPage(history: History, { limit, offset, after }: Pagination): HistoryPage | undefined {
  const begin = after ? history.indexAfter(Number(after[0])) : offset
  const end = Math.min(begin + limit, history.size)
  if (begin >= end) return undefined
  const last = history.at(end - 1)
  return { begin, end, first: history.at(begin), last, next: end < history.size ? [last] : undefined }
}
