import type { Artifact, AnyValue as Value } from '@waypost/sdk/api'
import { isKnownValue } from '../artifacts/known-value.ts'
import type { LiveFrame } from '@waypost/sdk/live-query'

interface Body {
  readonly artifact: Artifact
  /** The version named by the live frame. */
  readonly v: string | undefined
  /** The time of the request. */
  readonly at: number
  /** Stale: shown until a newer one arrives. */
  readonly isOld: boolean
}

export interface RowPage {
  readonly offset: number
  readonly artifacts: readonly Artifact[]
  readonly size: number
  readonly askedAt: number
}

/** A place in an order: directly before or after another row. */
export interface Beside {
  readonly side: 'before' | 'after'
  readonly anchor: number
}

/** Above this number, rows far from the viewport are evicted. */
const MAX_BODIES = 4_000
const KEPT_DISTANCE_ROWS = 1_000

/**
 * A sparse list of rows: the live query defines ids and order of the first ones; pages fill the rest, in the order at
 * the time of their request.
 */
export class RowStore {
  /** Undefined: not counted yet. */
  size: number | undefined
  /** Incremented by each change. */
  version = 0
  #window: number[] = []
  readonly #tail = new Map<number, number>()
  readonly #bodies = new Map<number, Body>()
  readonly #listeners = new Set<() => void>()

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  idAt(place: number): number | undefined {
    return place < this.#window.length ? this.#window[place] : this.#tail.get(place)
  }

  at(place: number): Artifact | undefined {
    const id = this.idAt(place)
    return id === undefined ? undefined : this.#bodies.get(id)?.artifact
  }

  find(id: number): Artifact | undefined {
    return this.#bodies.get(id)?.artifact
  }

  /** The index of a row; undefined if it is not known. */
  placeOf(id: number): number | undefined {
    const place = this.#window.indexOf(id)
    if (place >= 0) return place
    for (const [each, other] of this.#tail) if (other === id && each >= this.#window.length) return each
    return undefined
  }

  /** True if a visible index has to be loaded. */
  isMissing(place: number): boolean {
    if (this.size !== undefined && place >= this.size) return false
    const id = this.idAt(place)
    const body = id === undefined ? undefined : this.#bodies.get(id)
    return !body || body.isOld
  }

  putPage({ offset, artifacts, size, askedAt }: RowPage): void {
    const isLive = this.#window.length > 0
    if (!isLive) this.size = size
    for (const [index, artifact] of artifacts.entries()) {
      const place = offset + index
      if (place >= this.#window.length) this.#tail.set(place, artifact.id)
      const known = this.#bodies.get(artifact.id)
      // A later live frame is newer than this page.
      if (!known || known.at <= askedAt) this.#put(artifact, undefined, askedAt)
    }
    this.#forgetFarFrom(offset)
    this.#tell()
  }

  apply(frame: LiveFrame, now: number): void {
    switch (frame.event) {
      case 'ready':
        this.#window = frame.rows.map(({ id }) => id)
        this.#tail.clear()
        this.size = frame.size
        this.#compare(frame.rows)
        break
      case 'enter':
      case 'change': {
        const before = this.#window.indexOf(frame.id)
        if (before >= 0) this.#window.splice(before, 1)
        this.#window.splice(frame.position, 0, frame.id)
        this.#put(frame.artifact, frame.v, now)
        this.#resize(frame.size, frame.event === 'enter')
        break
      }
      case 'leave':
        this.#window = this.#window.filter((id) => id !== frame.id)
        this.#resize(frame.size, true)
        break
      case 'size':
        this.#resize(frame.size, true)
        break
      case 'reset': // The window is sent again.
      default:
        return
    }
    this.#tell()
  }

  /** The live query has ended: keep its rows as ordinary ones. */
  endLive(): void {
    for (const [place, id] of this.#window.entries()) this.#tail.set(place, id)
    this.#window = []
  }

  /** Marks all rows as stale after a change of unknown extent. */
  markStale(): void {
    for (const [id, body] of this.#bodies) this.#bodies.set(id, { ...body, isOld: true })
    this.#tell()
  }

  /** Stores a newer state of one row, from the response to a write. */
  replace(artifact: Artifact, now: number): void {
    this.#put(artifact, undefined, now)
    this.#tell()
  }

  /** Shows a value optimistically. */
  show(id: number, fieldId: number, value: Value | undefined): void {
    const body = this.#bodies.get(id)
    if (!body) return
    const others = (body.artifact.values ?? []).filter(({ field_id }) => field_id !== fieldId)
    const values = value && isKnownValue(value) ? [...others, value] : others
    this.#bodies.set(id, { ...body, artifact: { ...body.artifact, values } })
    this.#tell()
  }

  /** Shows a row beside another one, until the live query sends its place. */
  moveBeside(id: number, { side, anchor }: Beside): void {
    if (!this.#window.includes(id) || !this.#window.includes(anchor)) return
    const others = this.#window.filter((each) => each !== id)
    this.#window = others.toSpliced(others.indexOf(anchor) + (side === 'after' ? 1 : 0), 0, id)
    this.#tell()
  }

  #put(artifact: Artifact, v: string | undefined, at: number): void {
    this.#bodies.set(artifact.id, { artifact, v, at, isOld: false })
  }

  #compare(rows: readonly { id: number; v: string }[]): void {
    for (const { id, v } of rows) {
      const body = this.#bodies.get(id)
      if (body && body.v !== v) this.#bodies.set(id, { ...body, isOld: true })
    }
  }

  #resize(size: number, isMoved: boolean): void {
    if (isMoved || size !== this.size) this.#tail.clear()
    this.size = size
  }

  #forgetFarFrom(place: number): void {
    if (this.#bodies.size <= MAX_BODIES) return
    const near = new Set<number>()
    for (let each = Math.max(0, place - KEPT_DISTANCE_ROWS); each < place + KEPT_DISTANCE_ROWS; each++) {
      const id = this.idAt(each)
      if (id !== undefined) near.add(id)
    }
    for (const id of this.#bodies.keys()) if (!near.has(id)) this.#bodies.delete(id)
  }

  #tell(): void {
    this.version++
    for (const listener of this.#listeners) listener()
  }
}
