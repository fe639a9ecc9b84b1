import type { Answer, Failure } from '@waypost/sdk/answer'
import type { Artifact } from '@waypost/sdk/api'
import { Refusal } from '@waypost/sdk/answer'
import { sizeOf } from '@waypost/sdk'
import { followFeed } from '@waypost/sdk/feed'
import { followQuery, type LiveQuery } from '@waypost/sdk/live-query'
import { api } from '../api.ts'
import { RowStore } from './row-store.ts'

/** The source of the rows of a table. */
export interface RowSource {
  readonly tracker: number
  /** The size of a page. */
  readonly page: number
  /** Undefined: a live query is not possible; the rows are refetched on events. */
  readonly live: Omit<LiveQuery, 'limit'> | undefined
  /** Nothing is followed: the rows are those of the past. */
  readonly isStill?: boolean
  read(offset: number, limit: number, signal: AbortSignal): Promise<Answer<Artifact[]>>
  /** All ids, page by page. */
  ids(): AsyncGenerator<number[]>
}

/** A live query covers the first rows; rows below are refetched on events. */
const LIVE_WINDOW_ROWS = 1_000
const LEAVE_DEEP_BELOW_ROWS = 900
/** Debounce: fast scrolling loads nothing. */
const SCROLL_DEBOUNCE_MS = 60
const REPEAT_DELAY_MS = 500
/** Pages loaded before the first live frame would be loaded again, so loading waits this long for it. */
const LIVE_HEAD_START_MS = 120
const PAGE_CONCURRENCY = 3
/** Keeps the stream open while the viewer looks at one row. Browsers allow six connections per host. */
const LEAVE_GRACE_MS = 20_000
/** The maximum offset of the API. */
export const MAX_OFFSET = 100_000

export interface LoaderState {
  readonly failure: Failure | undefined
  /** True while changes by other people arrive by stream. */
  readonly isLive: boolean
}

/** Loads the visible rows and keeps them current between `start` and `stop`. It can be restarted. */
export class RowLoader {
  readonly store = new RowStore()
  /** Scroll position and active cell, restored when the viewer returns. */
  readonly place = { top: 0, rowHeight: 40, row: 0, column: 1 }
  state: LoaderState = { failure: undefined, isLive: false }
  readonly #source: RowSource
  #isStopped = true
  readonly #asked = new Map<number, { at: number; abort: AbortController | undefined }>()
  readonly #listeners = new Set<() => void>()
  #from = 0
  #to = 50
  #timer: ReturnType<typeof setTimeout> | undefined
  #leaving: ReturnType<typeof setTimeout> | undefined
  #following: { isDeep: boolean; abort: AbortController } | undefined
  #canFollow = true

  constructor(source: RowSource) {
    this.#source = source
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  start(): void {
    clearTimeout(this.#leaving)
    if (!this.#isStopped) return
    this.#isStopped = false
    this.#canFollow = true
    this.#become({ failure: undefined })
    if (this.#source.isStill) this.store.markStale()
    this.#follow()
    this.#later(this.#source.isStill || this.#following?.isDeep ? 0 : LIVE_HEAD_START_MS)
  }

  stop(): void {
    this.#isStopped = true
    this.#following?.abort.abort()
    this.#following = undefined
    for (const { abort } of this.#asked.values()) abort?.abort()
    this.#asked.clear()
    clearTimeout(this.#timer)
    clearTimeout(this.#leaving)
    this.#become({ isLive: false })
  }

  /** Stops after a grace period, unless the viewer returns. */
  leave(): void {
    this.#leaving = setTimeout(() => this.stop(), LEAVE_GRACE_MS)
  }

  /** Sets the visible rows. */
  setVisibleRange(from: number, to: number): void {
    if (from === this.#from && to === this.#to) return
    this.#from = from
    this.#to = to
    this.#later(SCROLL_DEBOUNCE_MS)
  }

  reload(): void {
    this.#asked.clear()
    this.#become({ failure: undefined })
    this.#load()
    this.#follow()
  }

  /** Loads all rows again if no stream tells of changes. */
  refresh(): void {
    if (this.state.isLive) return
    this.store.markStale()
    this.reload()
  }

  #later(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#load()
      this.#follow()
    }, milliseconds)
  }

  #load(): void {
    if (this.#isStopped) return
    const { page } = this.#source
    const first = Math.floor(this.#from / page)
    const last = Math.floor(Math.max(this.#from, Math.min(this.#to, MAX_OFFSET)) / page)
    for (const [number, { abort }] of this.#asked) if (number < first - 1 || number > last + 1) abort?.abort()
    for (let number = first; number <= last; number++) this.#want(number)
  }

  #want(number: number): void {
    const { page } = this.#source
    const from = Math.max(number * page, this.#from)
    const to = Math.min((number + 1) * page, this.#to)
    const isWanting = Array.from({ length: Math.max(1, to - from) }, (_, index) => from + index).some((place) =>
      this.store.isMissing(place),
    )
    if (!isWanting) return
    const asked = this.#asked.get(number)
    const isTooMany = [...this.#asked.values()].filter(({ abort }) => abort).length >= PAGE_CONCURRENCY
    if (asked?.abort || isTooMany) return
    if (asked && performance.now() - asked.at < REPEAT_DELAY_MS) return this.#later(REPEAT_DELAY_MS)
    void this.#ask(number)
  }

  async #ask(number: number): Promise<void> {
    const { page } = this.#source
    const abort = new AbortController()
    const at = performance.now()
    this.#asked.set(number, { at, abort })
    const answer = await this.#source.read(number * page, page, abort.signal)
    if (abort.signal.aborted) {
      if (this.#asked.get(number)?.abort === abort) this.#asked.delete(number)
      return
    }
    this.#asked.set(number, { at, abort: undefined })
    if (answer.ok) {
      this.store.putPage({ offset: number * page, artifacts: answer.body, size: sizeOf(answer), askedAt: at })
      if (this.state.failure) this.#become({ failure: undefined })
      this.#load()
    } else this.#become({ failure: answer })
  }

  /** Subscribes by a live query, or deep below by events. */
  #follow(): void {
    const isDeep =
      this.#source.live === undefined ||
      this.#to > LIVE_WINDOW_ROWS ||
      (this.#following?.isDeep === true && this.#to > LEAVE_DEEP_BELOW_ROWS)
    if (this.#isStopped || this.#source.isStill || !this.#canFollow || this.#following?.isDeep === isDeep) return
    this.#following?.abort.abort()
    const abort = new AbortController()
    this.#following = { isDeep, abort }
    void this.#run(isDeep ? undefined : this.#source.live, abort.signal)
  }

  /** Without a live query, events of the tracker trigger a refetch; without access to these, nothing does. */
  async #run(live: RowSource['live'], signal: AbortSignal): Promise<void> {
    try {
      if (live) await this.#followRows(live, signal)
      else await this.#followEvents(signal)
    } catch (error) {
      if (signal.aborted) return
      this.store.endLive()
      const isQueryRefused = live !== undefined && error instanceof Refusal && error.failure.status === 400
      if (isQueryRefused) return this.#run(undefined, signal)
      this.#canFollow = false
      this.#become({ isLive: false })
    }
  }

  async #followRows(live: Omit<LiveQuery, 'limit'>, signal: AbortSignal): Promise<void> {
    for await (const frame of followQuery(
      api,
      { ...live, limit: LIVE_WINDOW_ROWS },
      { signal, onTrouble: this.#onTrouble },
    )) {
      if (signal.aborted) return
      this.store.apply(frame, performance.now())
      if (frame.event === 'ready') this.#asked.clear()
      this.#become({ isLive: true })
      this.#load()
    }
  }

  async #followEvents(signal: AbortSignal): Promise<void> {
    this.store.endLive()
    this.#become({ isLive: true })
    const filter = { tracker: this.#source.tracker, types: 'artifact.*' }
    for await (const _ of followFeed(api, filter, { signal, onTrouble: this.#onTrouble })) {
      if (signal.aborted) return
      this.store.markStale()
      this.#load()
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
