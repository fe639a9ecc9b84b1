import type { Artifact, AnyValue as Value } from '@waypost/sdk/api'
import type { RowGroup, RowGrouping } from './grouping/row-group.ts'
import type { LoaderState } from './row-loader.ts'
import type { Beside } from './row-store.ts'

/** The rows of a grid, and their order. */
export interface GridStore {
  /** The number of rows; undefined: not counted yet. */
  readonly size: number | undefined
  /** Incremented by each change. */
  readonly version: number
  readonly subscribe: (listener: () => void) => () => void
  idAt(place: number): number | undefined
  at(place: number): Artifact | undefined
  find(id: number): Artifact | undefined
  placeOf(id: number): number | undefined
  show(id: number, fieldId: number, value: Value | undefined): void
  replace(artifact: Artifact, now: number): void
  /** Absent: the rows have no order by hand. */
  moveBeside?(id: number, to: Beside): void
  /** Absent: the rows are not grouped. */
  readonly groups?: GridGroups
  /** Absent: the rows are not a tree. */
  readonly tree?: GridTree
}

/** Rows with their children below them. */
export interface GridTree {
  /** The number of artifacts, also of those in collapsed branches. */
  readonly total: number | undefined
  /** Some children are not shown, because too many artifacts have children. */
  readonly isCut: boolean
  /** 0 for rows at the top. */
  levelAt(place: number): number
  /** The place of the row that this one is a child of. */
  parentPlace(place: number): number | undefined
  childCount(id: number): number
  isExpanded(id: number): boolean
  setExpanded(id: number, isExpanded: boolean): void
}

/** Groups in a grid. Each has a header, which takes the place of a row. */
export interface GridGroups {
  readonly grouping: RowGrouping
  /** The number of artifacts. One with several values is in several groups. */
  readonly total: number | undefined
  /** Some groups are not shown, because there are too many. */
  readonly isCut: boolean
  /** The group whose header is at this place. */
  headerAt(place: number): RowGroup | undefined
  /** The place of the header above this place. */
  startOf(place: number): number | undefined
  setCollapsed(group: string, isCollapsed: boolean): void
}

/** Loads the visible rows of a grid and keeps them current between `start` and `stop`. It can be restarted. */
export interface GridRows {
  readonly store: GridStore
  /** Scroll position and active cell, restored when the viewer returns. */
  readonly place: { top: number; rowHeight: number; row: number; column: number }
  readonly state: LoaderState
  readonly subscribe: (listener: () => void) => () => void
  start(): void
  stop(): void
  /** Stops after a grace period, unless the viewer returns. */
  leave(): void
  setVisibleRange(from: number, to: number): void
  /** Loads again after a failure. */
  reload(): void
  /** Loads all rows again if no stream tells of changes. */
  refresh(): void
}
