import type { Artifact, GroupCounts, AnyValue as Value } from '@waypost/sdk/api'
import type { GridGroups, GridStore } from '../grid-rows.ts'
import { RowStore, type RowPage } from '../row-store.ts'
import { rowGroupId } from './group-choice.ts'
import type { RowGroup, RowGrouping } from './row-group.ts'

/** Remembers which groups a person has collapsed. */
export interface CollapsedGroups {
  isCollapsed(group: string): boolean
  store(group: string, isCollapsed: boolean): void
}

/** The rows of groups as one list: each group is a header and its own rows. */
export class GroupedStore implements GridStore, GridGroups {
  readonly groups: GridGroups = this
  readonly grouping: RowGrouping
  version = 0
  total: number | undefined
  isCut = false
  readonly #collapsed: CollapsedGroups
  readonly #listeners = new Set<() => void>()
  #all: readonly RowGroup[] = []

  constructor(grouping: RowGrouping, collapsed: CollapsedGroups) {
    this.grouping = grouping
    this.#collapsed = collapsed
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get size(): number | undefined {
    return this.total === undefined ? undefined : this.#all.reduce((sum, group) => sum + lengthOf(group), 0)
  }

  headerAt(place: number): RowGroup | undefined {
    const found = this.locate(place)
    return found?.offset === -1 ? found.group : undefined
  }

  startOf(place: number): number | undefined {
    const found = this.locate(place)
    return found && place - found.offset - 1
  }

  idAt(place: number): number | undefined {
    const found = this.locate(place)
    return found?.group.rows.idAt(found.offset)
  }

  at(place: number): Artifact | undefined {
    const found = this.locate(place)
    return found?.group.rows.at(found.offset)
  }

  find(id: number): Artifact | undefined {
    return this.#all.map(({ rows }) => rows.find(id)).find((artifact) => artifact !== undefined)
  }

  /** The first place, if several groups have the row. */
  placeOf(id: number): number | undefined {
    let start = 0
    for (const group of this.#all) {
      const offset = group.isCollapsed ? undefined : group.rows.placeOf(id)
      if (offset !== undefined && offset < group.count) return start + 1 + offset
      start += lengthOf(group)
    }
    return undefined
  }

  /** The group at a place; its header has the offset -1. */
  locate(place: number): { readonly group: RowGroup; readonly offset: number } | undefined {
    let start = 0
    for (const group of this.#all) {
      const length = lengthOf(group)
      if (place < start + length) return place < start ? undefined : { group, offset: place - start - 1 }
      start += length
    }
    return undefined
  }

  /** All rows become stale: a change can move a row to another group. */
  putCounts({ total, groups }: GroupCounts, isCut: boolean): void {
    const before = new Map(this.#all.map((group) => [group.name, group]))
    this.#all = groups.map(({ key: [key = null], count, sum }) => {
      const name = rowGroupId(key)
      const { rows = new RowStore() } = before.get(name) ?? {}
      rows.markStale()
      rows.size = count
      return { name, key, count, sum, isCollapsed: this.#collapsed.isCollapsed(name), rows }
    })
    this.total = total
    this.isCut = isCut
    this.#tell()
  }

  putRows(name: string, page: RowPage): void {
    this.#all = this.#all.map((group) => {
      if (group.name !== name) return group
      group.rows.putPage(page)
      return { ...group, count: page.size }
    })
    this.#tell()
  }

  setCollapsed(name: string, isCollapsed: boolean): void {
    this.#collapsed.store(name, isCollapsed)
    this.#all = this.#all.map((group) => (group.name === name ? { ...group, isCollapsed } : group))
    this.#tell()
  }

  show(id: number, fieldId: number, value: Value | undefined): void {
    for (const { rows } of this.#all) rows.show(id, fieldId, value)
    this.#tell()
  }

  replace(artifact: Artifact, now: number): void {
    for (const { rows } of this.#all) if (rows.find(artifact.id)) rows.replace(artifact, now)
    this.#tell()
  }

  #tell(): void {
    this.version++
    for (const listener of this.#listeners) listener()
  }
}

/** The header, and the rows if they are shown. */
function lengthOf({ isCollapsed, count }: RowGroup): number {
  return isCollapsed ? 1 : 1 + count
}
