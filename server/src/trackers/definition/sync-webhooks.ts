import type { WriteContext } from '../../platform/http/write-context.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { LoadedTracker } from '../load-tracker.ts'

/** The events of a webhook that lists none, as in the original product. */
export const DEFAULT_WEBHOOK_EVENTS = ['artifact.created', 'artifact.updated'] as const

/** Makes the webhooks of a tracker match its definition. The webhooks module provides it in `ports.ts`. */
export type SyncWebhooks = (context: Context, work: WriteContext, tracker: LoadedTracker) => Promise<void>

declare module '../../platform/operation/context.ts' {
  interface Context {
    readonly followHooks: SyncWebhooks
  }
}
