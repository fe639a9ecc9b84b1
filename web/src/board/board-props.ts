import type { Tracker } from '@waypost/sdk/api'
import type { Ref } from 'react'
import type { Peek } from '../peek/use-peek.ts'
import type { RowLoader } from '../trackers/row-loader.ts'
import type { BoardFields } from './board-fields.ts'
import type { Layout } from './board-layout.ts'
import type { CollapsedColumns } from './collapsed-columns.ts'

/** Moves the active card from outside of the board. */
export interface BoardHandle {
  step(by: 1 | -1): void
  focus(): void
}

export interface BoardProps {
  tracker: Tracker
  fields: BoardFields
  layout: Layout
  loader: RowLoader
  /** Totals by column, where not all cards are shown. */
  totals: readonly (number | undefined)[]
  collapsed: CollapsedColumns
  mayMove: boolean
  isByHand: boolean
  /** The panel beside the board. */
  peek: Peek
  ref: Ref<BoardHandle>
}
