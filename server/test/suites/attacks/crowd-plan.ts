/** The work of the process of the hostile clients. */
export interface HostilePlan {
  readonly origin: string
  readonly seed: number
  /** Anonymous connections, and the addresses that they share. */
  readonly connections: number
  readonly addresses: number
  readonly tracker: number
  /** Access keys of the hostile accounts. */
  readonly keys: readonly string[]
  /** Connections of an account that floods: more than may be in flight. */
  readonly flood: number
  /** Between an answer and the next connection of the same client, in milliseconds. */
  readonly pauseMs: number
  /** The beginning of the names of classes that attack; empty: all. */
  readonly only: string
}

/** Answers by status. `cut`: the connection ended without an answer. */
export type AnswersByStatus = Readonly<Record<string, number>>

export interface HostileReport {
  /** By class of hostile client. */
  readonly answers: Readonly<Record<string, AnswersByStatus>>
  /** Processor time of the process, in seconds. */
  readonly processorSeconds: number
}

export const ANONYMOUS_CLASSES = [
  'slow export',
  'many members',
  'chunked members',
  'expression',
  'password reset',
  'registration',
  'slow body',
  'list',
] as const
export const ACCOUNT_CLASSES = ['account flood', 'account export', 'account scan', 'account page'] as const

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
