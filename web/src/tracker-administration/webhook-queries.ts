import { queryOptions } from '@tanstack/react-query'
import { sizeOf } from '@waypost/sdk'
import { Refusal } from '@waypost/sdk/answer'
import type { Webhook } from '@waypost/sdk/api'
import { api, read } from '../api.ts'

/** Everything that a hook of a tracker may tell. */
export const HOOK_EVENTS = [
  'artifact.created',
  'artifact.updated',
  'artifact.deleted',
  'artifact.restored',
  'artifact.moved',
  'comment.added',
  'comment.edited',
  'tracker.changed',
] as const

/** What a hook of a tracker tells unless one says otherwise. */
export const USUAL_EVENTS: readonly string[] = ['artifact.created', 'artifact.updated']

export const webhooksQuery = (tracker: number) =>
  queryOptions({
    queryKey: ['trackers', tracker, 'webhooks'],
    queryFn: () => read(api.call('GET /trackers/{id}/webhooks', { path: { id: tracker } })),
  })

export const deliveriesQuery = (webhook: number, limit: number) =>
  queryOptions({
    queryKey: ['webhooks', webhook, 'deliveries', limit],
    // What is under way shows by itself where it has come to.
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
