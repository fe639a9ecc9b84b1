import { queryOptions } from '@tanstack/react-query'
import { sizeOf } from '@waypost/sdk'
import { Refusal } from '@waypost/sdk/answer'
import type { Webhook } from '@waypost/sdk/api'
import { api, read } from '../api.ts'
import { queryClient } from '../query-client.ts'

/** The tracker or the project whose events a webhook sends. */
export interface WebhookParent {
  readonly kind: 'tracker' | 'project'
  readonly id: number
}

/** All events that a webhook of a tracker can send. */
const TRACKER_EVENTS = [
  'artifact.created',
  'artifact.updated',
  'artifact.deleted',
  'artifact.restored',
  'artifact.moved',
  'artifact.ranked',
  'comment.added',
  'comment.edited',
  'tracker.changed',
] as const

/** Those of a project: groups of events, as the API names them. */
const PROJECT_EVENTS = ['artifact.*', 'comment.*', 'tracker.*', 'project.*', 'member.*', 'svn.*'] as const

export const WEBHOOK_EVENTS = { tracker: TRACKER_EVENTS, project: PROJECT_EVENTS } as const

/** The events that a new webhook sends by default. */
export const INITIAL_WEBHOOK_EVENTS: Readonly<Record<WebhookParent['kind'], readonly string[]>> = {
  tracker: ['artifact.created', 'artifact.updated'],
  project: ['artifact.*', 'comment.*'],
}

const MAX_WEBHOOKS = 100
const KEYS = { tracker: 'trackers', project: 'projects' } as const

export const webhooksQuery = ({ kind, id }: WebhookParent) =>
  queryOptions({
    queryKey: [KEYS[kind], id, 'webhooks'],
    queryFn: () =>
      kind === 'tracker'
        ? read(api.call('GET /trackers/{id}/webhooks', { path: { id } }))
        : read(api.call('GET /projects/{id}/webhooks', { path: { id }, query: { limit: MAX_WEBHOOKS } })),
  })

/** The definition of a tracker contains its webhooks. */
export async function refreshWebhooks({ kind, id }: WebhookParent, webhook?: number): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: kind === 'tracker' ? ['trackers', id] : ['projects', id, 'webhooks'] }),
    webhook !== undefined && queryClient.invalidateQueries({ queryKey: ['webhooks', webhook] }),
  ])
}

export const deliveriesQuery = (webhook: number, limit: number) =>
  queryOptions({
    queryKey: ['webhooks', webhook, 'deliveries', limit],
    // Poll while deliveries are pending.
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some((each) => each.state === 'waiting' || each.state === 'retrying') ? 2_000 : false,
    queryFn: async () => {
      const answer = await api.call('GET /webhooks/{id}/deliveries', { path: { id: webhook }, query: { limit } })
      if (!answer.ok) throw new Refusal(answer)
      return { deliveries: answer.body, size: sizeOf(answer) }
    },
  })

export const deliveryQuery = (webhook: number, delivery: number) =>
  queryOptions({
    queryKey: ['webhooks', webhook, 'delivery', delivery],
    queryFn: () =>
      read(api.call('GET /webhooks/{id}/deliveries/{delivery_id}', { path: { id: webhook, delivery_id: delivery } })),
  })

export function isStopped({ state }: Pick<Webhook, 'state'>): boolean {
  return state === 'paused' || state === 'off'
}
