import type { DeliverySuccess } from './record-successes.ts'

/** Bounds what a killed worker repeats: these, and as many that are being stored. */
const MAX_UNRECORDED = 16

/** Stores results in the background; those that come meanwhile are stored together (group commit). */
interface SuccessRecorder {
  /** Waits only if too many are not stored yet. */
  add(success: DeliverySuccess): Promise<void>
  /** Waits until all are stored; fails if any could not be stored. */
  flush(): Promise<void>
  /** The version of the hook when the last results were stored; undefined if it is gone or that has failed. */
  readonly version: number | undefined
}

/** `store` returns the current version of the hook. */
export function createSuccessRecorder(
  first: number | undefined,
  store: (successes: readonly DeliverySuccess[]) => Promise<number | undefined>,
): SuccessRecorder {
  const state: { waiting: DeliverySuccess[]; version: number | undefined } = { waiting: [], version: first }
  let storing = Promise.resolve()
  let isStoring = false
  const storeAll = async () => {
    isStoring = true
    try {
      while (state.waiting.length > 0) {
        const batch = state.waiting
        state.waiting = []
        state.version = await store(batch)
      }
    } catch (error) {
      state.version = undefined
      throw error
    } finally {
      isStoring = false
    }
  }
  return {
    async add(success) {
      state.waiting.push(success)
      if (!isStoring) {
        storing = storing.then(storeAll)
        storing.catch(() => {}) // `flush` fails with it.
      }
      if (state.waiting.length >= MAX_UNRECORDED) await storing
    },
    flush: () => storing,
    get version() {
      return state.version
    },
  }
}
