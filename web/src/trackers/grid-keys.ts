import type { KeyboardEvent } from 'react'

const PLAIN = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  k: 'up',
  j: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Home: 'start',
  End: 'end',
  PageUp: 'page_up',
  PageDown: 'page_down',
  Enter: 'open',
  o: 'open',
  F2: 'edit',
  e: 'edit',
  x: 'choose',
  ' ': 'peek',
  s: 'pick_s',
  a: 'pick_a',
  p: 'pick_p',
  d: 'pick_d',
  b: 'bulk',
  Escape: 'choose_none',
} as const
const WITH_CONTROL = { Home: 'top', End: 'bottom', a: 'choose_all' } as const
const WITH_ALT = {
  ArrowUp: 'rank_up',
  ArrowDown: 'rank_down',
  ArrowLeft: 'column_left',
  ArrowRight: 'column_right',
} as const
const WITH_SHIFT = {
  S: 'sort',
  ArrowUp: 'extend_up',
  ArrowDown: 'extend_down',
  ArrowLeft: 'narrow',
  ArrowRight: 'widen',
} as const

export type GridKey =
  | (typeof PLAIN)[keyof typeof PLAIN]
  | (typeof WITH_CONTROL)[keyof typeof WITH_CONTROL]
  | (typeof WITH_SHIFT)[keyof typeof WITH_SHIFT]
  | (typeof WITH_ALT)[keyof typeof WITH_ALT]

/** Maps a key event to an action of the grid; undefined for other keys. */
export function toGridKey({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): GridKey | undefined {
  const others = ctrlKey || metaKey ? WITH_CONTROL : shiftKey ? WITH_SHIFT : PLAIN
  const keys: Readonly<Record<string, GridKey>> = altKey ? WITH_ALT : others
  return Object.hasOwn(keys, key) ? keys[key] : undefined
}
