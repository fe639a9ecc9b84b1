import type { Answer, Failure } from '@waypost/sdk/answer'
import type { Artifact, GroupCounts } from '@waypost/sdk/api'
import { sizeOf } from '@waypost/sdk'
import { followFeed } from '@waypost/sdk/feed'
import { api } from '../../api.ts'
import type { GridRows, GridStore } from '../grid-rows.ts'
import type { LoaderState } from '../row-loader.ts'
import type { RowPage } from '../row-store.ts'
import type { RowGroupKey } from './group-choice.ts'
import type { LoadedGroup } from './row-group.ts'

/** Rows that are counted in groups and loaded by group. */
export interface CountedStore extends GridStore {
  /** The group at a place; its header, if it has one, has the offset -1. */
  locate(place: number): { readonly group: LoadedGroup; readonly offset: number } | undefined
  putCounts(counts: GroupCounts, isCut: boolean): void
  putRows(group: string, page: RowPage): void
}

/** Where the groups and their rows come from. */
export interface GroupSource {
  readonly tracker: number
  /** Counts at most `limit` groups. */
  count(limit: number, signal: AbortSignal): Promise<Answer<GroupCounts>>
  read(key: RowGroupKey, offset: number, limit: number, signal: AbortSignal): Promise<Answer<Artifact[]>>
}

/** The maximum of the API. */
export const MAX_GROUPS = 1_000
const PAGE_SIZE = 100
const PAGE_CONCURRENCY = 3
const REPEAT_DELAY_MS = 500
/** Many changes at once are counted once. */
const COUNT_DELAY_MS = 400
/** Keeps the stream open while the viewer looks at one row. */
const LEAVE_GRACE_MS = 20_000

/** Counts groups and loads those of their rows that are visible. */
export class GroupedRows<Store extends CountedStore> implements GridRows {
  readonly store: Store
  readonly place = { top: 0, rowHeight: 40, row: 0, column: 1 }
  state: LoaderState = { failure: undefined, isLive: false }
  readonly #source: GroupSource
  readonly #listeners = new Set<() => void>()
  readonly #asked = new Set<string>()
  readonly #askedAt = new Map<string, number>()
  #seen = { from: 0, to: 50 }
  /** Undefined: stopped. */
  #running: AbortController | undefined
  #counts = 0
  #shownCount = 0
  #counting: ReturnType<typeof setTimeout> | undefined
  #leaving: ReturnType<typeof setTimeout> | undefined

  constructor(source: GroupSource, store: Store) {
    this.#source = source
    this.store = store
    store.subscribe(() => this.#load())
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  start(): void {
    clearTimeout(this.#leaving)
    if (this.#running) return
    this.#running = new AbortController()
    const { signal } = this.#running
    this.#become({ failure: undefined })
    void this.#count(signal)
    void this.#follow(signal)
  }

  stop(): void {
    this.#running?.abort()
    this.#running = undefined
    this.#asked.clear()
    this.#askedAt.clear()
    clearTimeout(this.#counting)
    clearTimeout(this.#leaving)
    this.#counting = undefined
    this.#become({ isLive: false })
  }

  leave(): void {
    this.#leaving = setTimeout(() => this.stop(), LEAVE_GRACE_MS)
  }

  setVisibleRange(from: number, to: number): void {
    this.#seen = { from, to }
    this.#load()
  }

  reload(): void {
    this.#become({ failure: undefined })
    if (this.#running) void this.#count(this.#running.signal)
  }

  refresh(): void {
    this.#counting ??= setTimeout(() => {
      this.#counting = undefined
      this.reload()
    }, COUNT_DELAY_MS)
  }

  async #count(signal: AbortSignal): Promise<void> {
    const number = ++this.#counts
    const answer = await this.#source.count(MAX_GROUPS, signal)
    if (signal.aborted || number < this.#shownCount) return
    this.#shownCount = number
    this.#askedAt.clear()
    if (answer.ok) this.store.putCounts(answer.body, sizeOf(answer) > MAX_GROUPS)
    else this.#become({ failure: answer })
  }

  #load(): void {
    if (!this.#running || this.state.failure) return
    const to = Math.min(this.#seen.to, this.store.size ?? 0)
    for (let place = this.#seen.from; place < to; place++) {
      const found = this.store.locate(place)
      if (!found || found.offset < 0 || !found.group.rows.isMissing(found.offset)) continue
      if (this.#asked.size >= PAGE_CONCURRENCY) return
      void this.#read(found.group, Math.floor(found.offset / PAGE_SIZE), this.#running.signal)
    }
  }

  async #read({ name, key, rows }: LoadedGroup, page: number, signal: AbortSignal): Promise<void> {
    const id = `${name} ${page}`
    const askedAt = performance.now()
    const isRepeated = askedAt - (this.#askedAt.get(id) ?? -Infinity) < REPEAT_DELAY_MS
    if (this.#asked.has(id) || isRepeated) return
    this.#asked.add(id)
    this.#askedAt.set(id, askedAt)
    const count = this.#shownCount
    const offset = page * PAGE_SIZE
    const answer = await this.#source.read(key, offset, PAGE_SIZE, signal)
    if (signal.aborted) return
    this.#asked.delete(id)
    if (!answer.ok) return this.#become({ failure: answer })
    this.store.putRows(name, { offset, artifacts: answer.body, size: sizeOf(answer), askedAt })
    // A change came after this page was read, so it is shown and read again.
    if (count !== this.#shownCount) {
      rows.markStale()
      this.#askedAt.delete(id)
    }
    this.#load()
  }

  /** One stream of events for all groups: browsers allow few connections per host. */
  async #follow(signal: AbortSignal): Promise<void> {
    const filter = { tracker: this.#source.tracker, types: 'artifact.*' }
    try {
      this.#become({ isLive: true })
      for await (const _ of followFeed(api, filter, { signal, onTrouble: this.#onTrouble })) this.refresh()
    } catch {
      if (!signal.aborted) this.#become({ isLive: false })
    }
  }

  readonly #onTrouble = (failure: Failure | undefined) => this.#become({ isLive: failure === undefined })

  #become(change: Partial<LoaderState>): void {
    const next = { ...this.state, ...change }
    if (next.failure === this.state.failure && next.isLive === this.state.isLive) return
    this.state = next
    for (const listener of this.#listeners) listener()
  }
}
