import type { RefObject } from 'react'
import type { PickerKey } from '../artifacts/key-fields.ts'
import { useRowFocus } from '../shell/use-row-focus.ts'
import { useShortcuts } from '../shell/use-shortcuts.ts'

/** A value of an artifact whose picker is open. */
export interface PickedCell {
  readonly id: number
  readonly pickerKey: PickerKey
  /** The element beside which it opens. */
  readonly anchor: HTMLElement
}

/** `j` and `k` move the focus through the rows; `s`, `a`, `p` and `d` open a picker of the row in focus. */
export function useWorkKeys(list: RefObject<HTMLElement | null>, onPick: (cell: PickedCell) => void): void {
  const { current } = useRowFocus(list, '[data-work]')
  const pick = (pickerKey: PickerKey) => () => {
    const row = current()
    if (!row) return
    const cell = row.querySelector<HTMLElement>(`[data-cell="${pickerKey}"]`)
    onPick({ id: Number(row.dataset['work']), pickerKey, anchor: cell ?? row })
  }
  useShortcuts({ s: pick('s'), a: pick('a'), p: pick('p'), d: pick('d') })
}
