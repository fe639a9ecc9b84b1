import type { Artifact } from '@waypost/sdk/api'
import type { Beside } from '../trackers/row-store.ts'
import type { Layout } from './board-layout.ts'
import type { BoardCell } from './use-held.ts'

// A slot is a place in a cell, named by the card that follows it; undefined is the end of the cell.

/** The cards of a cell, without the held one. */
export function otherCards({ columns, lanes }: Layout, cell: BoardCell, held?: number): readonly Artifact[] {
  const column = columns.findIndex(({ key }) => key === cell.key)
  const cards = lanes.find(({ id }) => id === cell.lane)?.cells[column] ?? []
  return cards.filter(({ id }) => id !== held)
}

/** The slot of a card in its own cell. */
export function slotOf(layout: Layout, cell: BoardCell, card: number): number | undefined {
  const cards = otherCards(layout, cell)
  return cards[cards.findIndex(({ id }) => id === card) + 1]?.id
}

/** The slot at a height of the screen. */
export function slotAt(cell: Element, y: number, held: number | undefined): number | undefined {
  for (const card of cell.querySelectorAll('[data-card]')) {
    const { top, height } = card.getBoundingClientRect()
    const id = Number(card.getAttribute('data-card'))
    if (id !== held && y < top + height / 2) return id
  }
  return undefined
}

/** The slot above or below another one. */
export function nextSlot(others: readonly Artifact[], slot: number | undefined, step: number): number | undefined {
  const at = slot === undefined ? others.length : others.findIndex(({ id }) => id === slot)
  return others[Math.max(0, Math.min(others.length, at + step))]?.id
}

/** The place of a slot in the order of the tracker; undefined: the cell is empty, so every place is right. */
export function placeOfSlot(others: readonly Artifact[], slot: number | undefined): Beside | undefined {
  if (slot !== undefined) return { side: 'before', anchor: slot }
  const last = others.at(-1)
  return last && { side: 'after', anchor: last.id }
}
