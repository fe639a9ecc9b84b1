import type { PlantedFault } from '../server/test/harness/planted-faults/plant.ts'
import type { RepeatableRandom } from '../server/test/suites/fuzz/random.ts'
import type { CleanupStack } from './cleanup-stack.ts'
import type { JournalEntry } from './journal.ts'
import type { SupervisedServer } from './servers.ts'

export const SETUPS = ['single', 'pair', 'standby', 'patroni'] as const
export type SetupName = (typeof SETUPS)[number]

/** The category of a fault in the report. */
export type FaultKind = 'server kill' | 'primary kill' | 'failover' | 'partition' | 'other'

export interface Fault {
  readonly name: string
  readonly counts: readonly FaultKind[]
  /** The relative frequency. */
  readonly share: number
  /** Resolves when everything is healthy again, with the number of injections if it is not one. */
  inject(scene: Scene): Promise<number | void>
}

/** The view of a fault on the run. */
export interface Scene {
  readonly random: RepeatableRandom
  readonly journal: readonly JournalEntry[]
  /** Reports a violation. */
  readonly complain: (what: string) => void
  readonly note: (what: string) => void
}

/** All processes of a set-up. */
export interface Setup {
  readonly servers: readonly SupervisedServer[]
  /** Connects as the schema owner to the current primary. */
  readonly ownerUrl: string
  readonly faults: readonly Fault[]
}

export interface SetupOptions {
  /** The data folder; other users may traverse it. */
  readonly directory: string
  readonly plant?: PlantedFault | undefined
  /** The folder of an older version to upgrade from. */
  readonly older?: string | undefined
  readonly log: (line: string) => void
  /** Receives a cleanup function for each part as soon as it runs, because a start may be interrupted. */
  readonly cleanup: CleanupStack
}
