import type { TrackerField } from '@waypost/sdk/api'
import type { RowStore } from '../row-store.ts'
import type { GroupChoice, RowGroupKey } from './group-choice.ts'

/** How the rows of a table are grouped. */
export interface RowGrouping {
  readonly choice: GroupChoice
  /** The fields that are added up in each group. */
  readonly sums: readonly TrackerField[]
}

/** The rows of a group or of a branch that are loaded. */
export type LoadedGroup = Pick<RowGroup, 'name' | 'key' | 'rows'>

/** A group of rows, and those of its rows that are loaded. */
export interface RowGroup {
  /** Identifies the group while counts change. */
  readonly name: string
  readonly key: RowGroupKey
  readonly count: number
  readonly sum: Readonly<Record<string, number | null>>
  readonly isCollapsed: boolean
  readonly rows: RowStore
}
