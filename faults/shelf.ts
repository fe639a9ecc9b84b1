import type { Random } from '../server/test/fuzz/random.ts'

/** What the clients know of an artifact. */
export interface Known {
  readonly id: number
  /** The newest version that somebody was told of, and one before it. */
  tag: string
  formerTag: string | undefined
  /** When that version was made: nobody may be shown an older one from then on. */
  modified: number
  /** Somebody has asked to delete it. */
  isLeaving: boolean
}

const LARGEST = 150

/** The artifacts that are worked on: the newest ones, so that many write the same. */
export interface Shelf {
  readonly size: number
  put(known: Known): void
  pick(random: Random): Known | undefined
}

export function createShelf(): Shelf {
  let shelf: Known[] = []
  return {
    get size() {
      return shelf.length
    },
    put(known) {
      shelf = [...shelf, known].slice(-LARGEST)
    },
    pick: (random) => random.pickAny(shelf.filter(({ isLeaving }) => !isLeaving)),
  }
}

/** Somebody was told of a version of it. */
export function learn(known: Known, tag: string, modified: number): void {
  if (modified <= known.modified) return
  known.formerTag = known.tag
  known.tag = tag
  known.modified = modified
}
