import type { Plant } from '../server/src/platform/operation/failpoints.ts'
import type { Random } from '../server/test/fuzz/random.ts'
import type { Ends } from './ends.ts'
import type { Entry } from './journal.ts'
import type { Server } from './servers.ts'

export const SETUPS = ['single', 'pair', 'standby', 'patroni'] as const
export type SetupName = (typeof SETUPS)[number]

/** What a fault is counted as. */
export type FaultKind = 'server kill' | 'primary kill' | 'failover' | 'partition' | 'other'

export interface Fault {
  readonly name: string
  readonly counts: readonly FaultKind[]
  /** How often, beside the others. */
  readonly share: number
  /** Resolves when everything is whole again; with how many times it was done, where that is not once. */
  inject(scene: Scene): Promise<number | void>
}

/** What a fault sees of the run. */
export interface Scene {
  readonly random: Random
  readonly journal: readonly Entry[]
  /** Says what must not be. */
  readonly complain: (what: string) => void
  readonly note: (what: string) => void
}

/** Everything that runs, on real parts of its own. */
export interface Setup {
  readonly servers: readonly Server[]
  /** Connects as the owner of the schema, wherever the primary is. */
  readonly ownerUrl: string
  readonly faults: readonly Fault[]
}

export interface SetupOptions {
  /** For all that it keeps; others may pass through. */
  readonly directory: string
  readonly plant?: Plant | undefined
  /** The folder of an older version to upgrade from. */
  readonly older?: string | undefined
  /** Where webhooks go to, and mails. */
  readonly log: (line: string) => void
  /** Where it says how to end each part as soon as that runs: it may be interrupted before it is whole. */
  readonly ends: Ends
}
