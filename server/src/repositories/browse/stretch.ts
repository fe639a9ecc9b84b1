import type { Page, Place } from '../../platform/http/pages.ts'
import type { History } from './engine/history.ts'

interface Stretch {
  readonly begin: number
  readonly end: number
  /** The newest and the oldest revision of the page. */
  readonly first: number
  readonly last: number
  readonly next: Place | undefined
}

/** The part of a history that a page shows; undefined: it is empty. */
export function stretchOf(history: History, { limit, offset, after }: Page): Stretch | undefined {
  const begin = after ? history.placeBehind(Number(after[0])) : offset
  const end = Math.min(begin + limit, history.size)
  if (begin >= end) return undefined
  const last = history.at(end - 1)
  return { begin, end, first: history.at(begin), last, next: end < history.size ? [last] : undefined }
}
