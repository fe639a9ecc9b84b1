import { noticePoller } from '../../../src/feed/notifications/planning/notice-poller.ts'
import { claimRuns } from '../../../src/feed/webhooks/claim-deliveries.ts'
import { planDeliveries } from '../../../src/feed/webhooks/plan-deliveries.ts'
import { insertDelivery, insertTestWebhook } from '../../fixtures/insert-webhook.ts'
import { closeAll, openLive } from '../../harness/live-query.ts'
import { MARA, TOM } from '../../fixtures/people.ts'
import { BUGS } from '../../fixtures/seed-ids.ts'
import { settleFeed } from '../../harness/settle-feed.ts'
import { BUG_LIST, assertSucceeded, changePoints } from './scene.ts'
import type { SqlOperation } from './sql-operation.ts'

export const FEED_OPERATIONS: readonly SqlOperation[] = [
  {
    name: 'list-events',
    runs: 'GET /events',
    note: 'A consumer reads a page of the feed.',
    prepare: async ({ api, context }) => {
      await settleFeed(context)
      return () => api.get('/events?limit=20', { as: TOM })
    },
  },
  {
    name: 'refresh-live-query',
    runs: 'GET /trackers/{id}/artifacts/live',
    note: 'One artifact has changed: the transaction that refreshes an open result set.',
    isOneTransaction: true,
    prepare: async ({ api, context, bug }) => {
      const stream = await openLive(api, `${BUG_LIST}/live?order=desc&limit=5`, { as: TOM })
      await stream.until((frames) => frames.length > 0)
      return async () => {
        assertSucceeded(await api.put(`/artifacts/${bug}`, { as: TOM, body: changePoints(3) }))
        await stream.until((frames) => frames.some(({ event }) => event === 'change'))
        await closeAll(context, [stream])
      }
    },
  },
  {
    name: 'plan-webhook-deliveries',
    runs: 'planDeliveries',
    note: 'A worker finds a new event for a webhook.',
    prepare: async ({ api, context }) => {
      await context.db.deleteFrom('webhook').execute() // Only one is to have news.
      const body = { url: 'https://hooks.waypost.example/', events: ['artifact.created'] }
      assertSucceeded(await api.post(`/trackers/${BUGS}/webhooks`, { as: MARA, body }))
      const created = { tracker: { id: BUGS }, values_by_field: { summary: { value: 'Valve rattles' } } }
      assertSucceeded(await api.post('/artifacts', { as: TOM, body: created }))
      await settleFeed(context)
      return () => planDeliveries.turn(context)
    },
  },
  {
    name: 'claim-webhook-deliveries',
    runs: 'claimRuns',
    note: 'A worker leases due deliveries.',
    prepare: async ({ context }) => {
      const { db, clock } = context
      await insertDelivery(db, await insertTestWebhook(db))
      return () => claimRuns(db, { all: 32, failing: 16 }, clock.now())
    },
  },
  {
    name: 'plan-notifications',
    runs: 'noticePoller',
    note: 'A worker finds the people to notify of new events.',
    prepare: async ({ api, context, bug }) => {
      await settleFeed(context)
      while (await noticePoller.turn(context));
      assertSucceeded(await api.put(`/artifacts/${bug}`, { as: MARA, body: changePoints(13) }))
      await settleFeed(context)
      return () => noticePoller.turn(context)
    },
  },
]
