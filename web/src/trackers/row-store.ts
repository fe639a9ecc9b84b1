import type { Artifact, Value } from '@waypost/sdk/api'
import type { LiveFrame } from '@waypost/sdk/live-query'

interface Body {
  readonly artifact: Artifact
  /** The version that a live frame has named. */
  readonly v: string | undefined
  /** When what it says was asked for. */
  readonly at: number
  /** Shown until a newer one comes. */
  readonly isOld: boolean
}

export interface Page {
  readonly offset: number
  readonly artifacts: readonly Artifact[]
  readonly size: number
  readonly askedAt: number
}

/** Above this many bodies, those far from what is looked at are forgotten. */
const MOST = 4_000
const NEAR = 1_000

/**
 * Rows of which only some are here: the first by a live query, which says which they are and in which order, the others
 * by pages, in the order of the moment when they came.
 */
export class RowStore {
  /** Undefined: nobody has counted them yet. */
  size: number | undefined
  /** Rises with each change. */
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

  /** Where a row is now; undefined: nobody knows. */
  placeOf(id: number): number | undefined {
    const place = this.#window.indexOf(id)
    if (place >= 0) return place
    for (const [each, other] of this.#tail) if (other === id && each >= this.#window.length) return each
    return undefined
  }

  /** Whether a place in sight has to be asked for. */
  isWanting(place: number): boolean {
    if (this.size !== undefined && place >= this.size) return false
    const id = this.idAt(place)
    const body = id === undefined ? undefined : this.#bodies.get(id)
    return !body || body.isOld
  }

  putPage({ offset, artifacts, size, askedAt }: Page): void {
    const isLive = this.#window.length > 0
    if (!isLive) this.size = size
    for (const [index, artifact] of artifacts.entries()) {
      const place = offset + index
      if (place >= this.#window.length) this.#tail.set(place, artifact.id)
      const known = this.#bodies.get(artifact.id)
      // What a live frame has told meanwhile is newer.
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
      case 'reset': // All of them come anew.
      default:
        return
    }
    this.#tell()
  }

  /** Nobody says any longer which rows are the first: they are what they were. */
  endLive(): void {
    for (const [place, id] of this.#window.entries()) this.#tail.set(place, id)
    this.#window = []
  }

  /** Something has happened, nobody knows where. */
  doubt(): void {
    for (const [id, body] of this.#bodies) this.#bodies.set(id, { ...body, isOld: true })
    this.#tell()
  }

  /** A newer state of one row, as the answer to a write. */
  replace(artifact: Artifact, now: number): void {
    this.#put(artifact, undefined, now)
    this.#tell()
  }

  /** Shows a value before the server has taken it. */
  show(id: number, fieldId: number, value: Value | undefined): void {
    const body = this.#bodies.get(id)
    if (!body) return
    const others = (body.artifact.values ?? []).filter(({ field_id }) => field_id !== fieldId)
    const values = value ? [...others, value] : others
    this.#bodies.set(id, { ...body, artifact: { ...body.artifact, values } })
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
    if (this.#bodies.size <= MOST) return
    const near = new Set<number>()
    for (let each = Math.max(0, place - NEAR); each < place + NEAR; each++) {
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
