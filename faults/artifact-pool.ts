import type { RepeatableRandom } from '../server/test/suites/fuzz/random.ts'

/** The state of an artifact as the clients know it. */
export interface KnownArtifact {
  readonly id: number
  /** The newest acknowledged version, and an earlier one. */
  tag: string
  formerTag: string | undefined
  /** The time of that version: no later response may show an older one. */
  modified: number
  /** A client has requested its deletion. */
  isLeaving: boolean
}

const MAX_POOL_SIZE = 150

/** The newest artifacts, few enough that clients write the same ones concurrently. */
export interface ArtifactPool {
  readonly size: number
  add(known: KnownArtifact): void
  pick(random: RepeatableRandom): KnownArtifact | undefined
}

export function createArtifactPool(): ArtifactPool {
  let artifacts: KnownArtifact[] = []
  return {
    get size() {
      return artifacts.length
    },
    add(known) {
      artifacts = [...artifacts, known].slice(-MAX_POOL_SIZE)
    },
    pick: (random) => random.pickAny(artifacts.filter(({ isLeaving }) => !isLeaving)),
  }
}

/** Records an acknowledged version. */
export function recordVersion(known: KnownArtifact, tag: string, modified: number): void {
  if (modified <= known.modified) return
  known.formerTag = known.tag
  known.tag = tag
  known.modified = modified
}
