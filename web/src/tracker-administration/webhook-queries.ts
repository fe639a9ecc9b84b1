import { queryOptions } from '@tanstack/react-query'
import { sizeOf } from '@waypost/sdk'
import { Refusal } from '@waypost/sdk/answer'
import type { Webhook } from '@waypost/sdk/api'
import { api, read } from '../api.ts'

/** All events that a webhook of a tracker can send. */
export const TRACKER_WEBHOOK_EVENTS = [
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

/** The events that a new webhook of a tracker sends by default. */
export const DEFAULT_TRACKER_WEBHOOK_EVENTS: readonly string[] = ['artifact.created', 'artifact.updated']

export const webhooksQuery = (tracker: number) =>
  queryOptions({
    queryKey: ['trackers', tracker, 'webhooks'],
    queryFn: () => read(api.call('GET /trackers/{id}/webhooks', { path: { id: tracker } })),
  })

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
