import type { Tx } from '../../platform/database/db.ts'
import type { Tracker } from '../tracker.ts'

/** Updates the search index after a change of the tracker. The artifacts module provides it in `ports.ts`. */
export type SyncIndex = (tx: Tx, before: Tracker, after: Tracker) => Promise<void>

declare module '../../platform/operation/context.ts' {
  interface Context {
    readonly followIndex: SyncIndex
  }
}
