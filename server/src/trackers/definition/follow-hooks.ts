import type { Work } from '../../platform/http/work.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { LoadedTracker } from '../load-tracker.ts'

/** Which events a hook is told that names none: as in the original. */
export const HOOK_EVENTS = ['artifact.created', 'artifact.updated'] as const

/** Makes the webhooks of a tracker what its definition lists. The room that has them fills it in `ports.ts`. */
export type FollowHooks = (context: Context, work: Work, tracker: LoadedTracker) => Promise<void>

declare module '../../platform/operation/context.ts' {
  interface Context {
    readonly followHooks: FollowHooks
  }
}
