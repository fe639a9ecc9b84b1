import type { Answer, Failure } from '@waypost/sdk/answer'
import type { Artifact } from '@waypost/sdk/api'
import { Refusal } from '@waypost/sdk/answer'
import { sizeOf } from '@waypost/sdk'
import { followFeed } from '@waypost/sdk/feed'
import { followQuery, type LiveQuery } from '@waypost/sdk/live-query'
import { api } from '../api.ts'
import { RowStore } from './row-store.ts'

/** Where rows come from. */
export interface Source {
  readonly tracker: number
  /** The size of a page. */
  readonly page: number
  /** Undefined: these rows cannot be followed by a live query, and are read again when something happens. */
  readonly live: Omit<LiveQuery, 'limit'> | undefined
  read(offset: number, limit: number, signal: AbortSignal): Promise<Answer<Artifact[]>>
  /** All of them, page by page. */
  ids(): AsyncGenerator<number[]>
}

/** The first rows are followed by a live query; whoever looks at others reads them again when something happens. */
const WINDOW = 1_000
const DEEP = 900
/** Who scrolls past asks for nothing. */
const REST = 60
const AGAIN = 500
/** What is asked for before the live query says which rows there are is asked for again after it: it is waited for, if not for long. */
const HEAD_START = 120
const MOST_AT_ONCE = 3
/** How long rows stay true for who only looks into one of them. A stream is a connection, and a browser has six. */
const SOON = 20_000
/** As far as pages can be asked for by their place. */
export const LAST_PLACE = 100_000

export interface LoaderState {
  readonly failure: Failure | undefined
  /** Changes of others show by themselves. */
  readonly isLive: boolean
}

/** Asks for the rows that are looked at, and keeps them true from `start` to `stop`; it can be started again. */
export class RowLoader {
  readonly store = new RowStore()
  /** Where somebody was in these rows, for when he comes back to them. */
  readonly place = { top: 0, rowHeight: 40, row: 0, column: 1 }
  state: LoaderState = { failure: undefined, isLive: false }
  readonly #source: Source
  #isStopped = true
  readonly #asked = new Map<number, { at: number; abort: AbortController | undefined }>()
  readonly #listeners = new Set<() => void>()
  #from = 0
  #to = 50
  #timer: ReturnType<typeof setTimeout> | undefined
  #leaving: ReturnType<typeof setTimeout> | undefined
  #following: { isDeep: boolean; abort: AbortController } | undefined
  #canFollow = true

  constructor(source: Source) {
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
    this.#follow()
    this.#later(this.#following?.isDeep ? 0 : HEAD_START)
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

  /** Nobody looks any longer: it stops, unless somebody is back soon. */
  leave(): void {
    this.#leaving = setTimeout(() => this.stop(), SOON)
  }

  /** These places are in sight. */
  look(from: number, to: number): void {
    if (from === this.#from && to === this.#to) return
    this.#from = from
    this.#to = to
    this.#later(REST)
  }

  again(): void {
    this.#asked.clear()
    this.#become({ failure: undefined })
    this.#load()
    this.#follow()
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
    const last = Math.floor(Math.max(this.#from, Math.min(this.#to, LAST_PLACE)) / page)
    for (const [number, { abort }] of this.#asked) if (number < first - 1 || number > last + 1) abort?.abort()
    for (let number = first; number <= last; number++) this.#want(number)
  }

  #want(number: number): void {
    const { page } = this.#source
    const from = Math.max(number * page, this.#from)
    const to = Math.min((number + 1) * page, this.#to)
    const isWanting = Array.from({ length: Math.max(1, to - from) }, (_, index) => from + index).some((place) =>
      this.store.isWanting(place),
    )
    if (!isWanting) return
    const asked = this.#asked.get(number)
    const isTooMany = [...this.#asked.values()].filter(({ abort }) => abort).length >= MOST_AT_ONCE
    if (asked?.abort || isTooMany) return
    if (asked && performance.now() - asked.at < AGAIN) return this.#later(AGAIN)
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

  /** Follows what is in sight, in the way that fits how far down that is. */
  #follow(): void {
    const isDeep =
      this.#source.live === undefined || this.#to > WINDOW || (this.#following?.isDeep === true && this.#to > DEEP)
    if (this.#isStopped || !this.#canFollow || this.#following?.isDeep === isDeep) return
    this.#following?.abort.abort()
    const abort = new AbortController()
    this.#following = { isDeep, abort }
    void this.#run(isDeep ? undefined : this.#source.live, abort.signal)
  }

  /** A query that nobody can follow is read again when something happens; who may not even know of that is not told. */
  async #run(live: Source['live'], signal: AbortSignal): Promise<void> {
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
    for await (const frame of followQuery(api, { ...live, limit: WINDOW }, { signal, onTrouble: this.#onTrouble })) {
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
      this.store.doubt()
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
