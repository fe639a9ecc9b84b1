import type { ArtifactId } from '../artifact.ts'

const FIRST_BATCH_SIZE = 16
const MAX_BATCH_SIZE = 1024

/** Ids in batches of growing size, until there are no more. `list` returns them in descending order. */
export async function* candidateBatches(
  list: (before: number, size: number) => Promise<ArtifactId[]>,
): AsyncGenerator<ArtifactId[]> {
  let before = Number.MAX_SAFE_INTEGER
  for (let size = FIRST_BATCH_SIZE; ; size = Math.min(size * 4, MAX_BATCH_SIZE)) {
    const ids = await list(before, size)
    if (ids.length > 0) yield ids
    const last = ids.at(-1)
    if (last === undefined || ids.length < size) return
    before = last
  }
}
