import { LRUCache } from 'lru-cache'
import { ApiError } from '../../platform/messages/errors.ts'
import { createSemaphore, type Semaphore } from '../../platform/operation/semaphore.ts'
import { DirectoryUnavailable } from './directory-error.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    readonly directoryMemory: DirectoryMemory
  }
}

/** Limits sign-ins by each directory, so that a slow one holds neither the others nor the server. */
export interface DirectoryMemory {
  /** After a failure, requests for some seconds fail at once for the same reason. */
  run<T>(directory: string, now: Date, work: () => Promise<T>): Promise<T>
}

interface DirectoryState {
  readonly limit: Semaphore
  failed: { readonly error: DirectoryUnavailable; readonly until: number } | undefined
}

const MAX_DIRECTORIES = 200
const MAX_SIGN_INS = 20
const MAX_WAITING_SIGN_INS = 40
const FAILURE_TTL_MS = 3000

export function createDirectoryMemory(): DirectoryMemory {
  const states = new LRUCache<string, DirectoryState>({ max: MAX_DIRECTORIES })
  const findState = (directory: string): DirectoryState => {
    const known = states.get(directory)
    if (known) return known
    const made = { limit: createSemaphore(MAX_SIGN_INS, MAX_WAITING_SIGN_INS), failed: undefined }
    states.set(directory, made)
    return made
  }
  return {
    async run(directory, now, work) {
      const state = findState(directory)
      const requireHealth = () => {
        if (state.failed && now.getTime() < state.failed.until) throw state.failed.error
      }
      requireHealth()
      try {
        return await state.limit(async () => {
          requireHealth() // While it waited, others may have failed.
          return work()
        })
      } catch (error) {
        if (error instanceof ApiError)
          throw new DirectoryUnavailable('time', 'Too many sign-ins wait for the directory.')
        if (error instanceof DirectoryUnavailable && error !== state.failed?.error)
          state.failed = { error, until: now.getTime() + FAILURE_TTL_MS }
        throw error
      }
    },
  }
}
