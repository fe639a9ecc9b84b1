import type { Tracker } from '@waypost/sdk/api'
import type { RowLoader } from '../trackers/row-loader.ts'
import type { BoardFields } from './board-fields.ts'
import type { Layout } from './board-layout.ts'
import type { CollapsedColumns } from './collapsed-columns.ts'

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
}
