import type { Tx } from '../../platform/database/db.ts'
import type { Tracker } from '../tracker.ts'

/** Makes what artifacts are found by fit what their tracker has become. The room that has it fills it in `ports.ts`. */
export type FollowIndex = (tx: Tx, before: Tracker, after: Tracker) => Promise<void>

declare module '../../platform/operation/context.ts' {
  interface Context {
    readonly followIndex: FollowIndex
  }
}
