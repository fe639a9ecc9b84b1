import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'

/** Longer synchronous work would delay other requests noticeably. */
const SLICE_MS = 3

interface Sliced {
  /** Lets other work of the event loop run. */
  yield(): Promise<void>
}

const storage = new AsyncLocalStorage<Sliced>()

/** Runs `work`, whose slices end with the `yield` given here. */
export function runSliced<T>(sliced: Sliced, work: () => Promise<T>): Promise<T> {
  return storage.run(sliced, work)
}

/** Ends a slice of synchronous work. */
export function yieldToOthers(): Promise<void> {
  return storage.getStore()?.yield() ?? setImmediate()
}

/** Yields when a slice has lasted long enough. */
function createSlicer(sliceMs = SLICE_MS): () => Promise<void> | undefined {
  let began = performance.now()
  const endSlice = async () => {
    await yieldToOthers()
    began = performance.now()
  }
  return () => {
    if (performance.now() - began < sliceMs) return undefined
    return endSlice()
  }
}

/** Like `map`, but yields to the event loop every few milliseconds. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  const endSlice = createSlicer()
  for (const [index, item] of items.entries()) {
    results.push(map(item, index))
    const yielded = endSlice()
    if (yielded) await yielded
  }
  return results
}
