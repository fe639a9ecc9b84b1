import type { Artifact, GroupCounts, AnyValue as Value } from '@waypost/sdk/api'
import type { GridStore, GridTree } from '../grid-rows.ts'
import { isParentKey } from '../grouping/group-choice.ts'
import type { LoadedGroup } from '../grouping/row-group.ts'
import { RowStore, type RowPage } from '../row-store.ts'

/** Consecutive rows of one branch. */
interface Segment {
  readonly start: number
  readonly length: number
  readonly branch: LoadedGroup
  /** The offset in the branch of the first row. */
  readonly offset: number
  readonly level: number
  /** The place of the row above the branch. */
  readonly parent: number | undefined
}

const TOP = ''

/** Rows with their children below them, as one list. Branches are loaded when they are expanded. */
export class TreeStore implements GridStore, GridTree {
  readonly tree: GridTree = this
  version = 0
  total: number | undefined
  isCut = false
  readonly #top: LoadedGroup = { name: TOP, key: null, rows: new RowStore() }
  readonly #branches = new Map<number, LoadedGroup>()
  readonly #expanded = new Set<number>()
  readonly #listeners = new Set<() => void>()
  #counts: ReadonlyMap<number, number> = new Map()
  #segments: readonly Segment[] = []

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get size(): number | undefined {
    if (this.#top.rows.size === undefined) return undefined
    return this.#segments.reduce((sum, { length }) => sum + length, 0)
  }

  locate(place: number): { readonly group: LoadedGroup; readonly offset: number } | undefined {
    const segment = this.#segmentAt(place)
    return segment && { group: segment.branch, offset: segment.offset + place - segment.start }
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
    return this.#all()
      .map(({ rows }) => rows.find(id))
      .find((artifact) => artifact !== undefined)
  }

  placeOf(id: number): number | undefined {
    for (const { start, length, branch, offset } of this.#segments) {
      const place = branch.rows.placeOf(id)
      if (place !== undefined && place >= offset && place < offset + length) return start + place - offset
    }
    return undefined
  }

  levelAt(place: number): number {
    return this.#segmentAt(place)?.level ?? 0
  }

  parentPlace(place: number): number | undefined {
    return this.#segmentAt(place)?.parent
  }

  childCount(id: number): number {
    return this.#counts.get(id) ?? 0
  }

  isExpanded(id: number): boolean {
    return this.#expanded.has(id)
  }

  setExpanded(id: number, isExpanded: boolean): void {
    if (isExpanded) this.#expanded.add(id)
    else this.#expanded.delete(id)
    this.#tell()
  }

  /** The numbers of children by parent. All rows become stale: a change can move a row to another parent. */
  putCounts({ total, groups }: GroupCounts, isCut: boolean): void {
    this.#counts = new Map(groups.flatMap(({ key: [key], count }) => (isParentKey(key) ? [[key.id, count]] : [])))
    this.total = total
    this.isCut = isCut
    for (const { rows } of this.#all()) rows.markStale()
    for (const [id, { rows }] of this.#branches) rows.size = this.childCount(id)
    // At least one row has no parent among the others; the first page tells how many.
    const { rows } = this.#top
    rows.size = total === 0 ? 0 : Math.max(1, rows.size ?? 1)
    this.#tell()
  }

  putRows(name: string, page: RowPage): void {
    this.#all()
      .find((branch) => branch.name === name)
      ?.rows.putPage(page)
    this.#tell()
  }

  show(id: number, fieldId: number, value: Value | undefined): void {
    for (const { rows } of this.#all()) rows.show(id, fieldId, value)
    this.#tell()
  }

  replace(artifact: Artifact, now: number): void {
    for (const { rows } of this.#all()) if (rows.find(artifact.id)) rows.replace(artifact, now)
    this.#tell()
  }

  #all(): LoadedGroup[] {
    return [this.#top, ...this.#branches.values()]
  }

  #segmentAt(place: number): Segment | undefined {
    return this.#segments.find(({ start, length }) => place >= start && place < start + length)
  }

  #tell(): void {
    this.#segments = this.#lay(this.#top, { start: 0, level: 0, parent: undefined, above: [] })
    this.version++
    for (const listener of this.#listeners) listener()
  }

  /** The segments of a branch and of the expanded ones in it. `above`: the rows that contain it. */
  #lay(
    branch: LoadedGroup,
    at: { start: number; level: number; parent: number | undefined; above: readonly number[] },
  ): Segment[] {
    const size = branch.rows.size ?? 0
    const expanded = [...this.#expanded]
      .flatMap((id) => {
        const offset = this.childCount(id) > 0 && !at.above.includes(id) ? branch.rows.placeOf(id) : undefined
        return offset === undefined || offset >= size ? [] : [{ id, offset }]
      })
      .toSorted((one, other) => one.offset - other.offset)
    const { level, parent } = at
    const segments: Segment[] = []
    let { start } = at
    let offset = 0
    const add = (end: number) => {
      if (end > offset) segments.push({ start, length: end - offset, branch, offset, level, parent })
      start += end - offset
      offset = end
    }
    for (const each of expanded) {
      add(each.offset + 1)
      const inside = { start, level: level + 1, parent: start - 1, above: [...at.above, each.id] }
      const below = this.#lay(this.#branch(each.id), inside)
      segments.push(...below)
      start += below.reduce((sum, { length }) => sum + length, 0)
    }
    add(size)
    return segments
  }

  #branch(id: number): LoadedGroup {
    const known = this.#branches.get(id)
    if (known) return known
    const branch = { name: String(id), key: { id, xref: '', label: null }, rows: new RowStore() }
    branch.rows.size = this.childCount(id)
    this.#branches.set(id, branch)
    return branch
  }
}
