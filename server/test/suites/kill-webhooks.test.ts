import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startWorld } from '../harness/start-world.ts'
import { MARA, TOM, UMA } from '../fixtures/people.ts'
import { BUG, BUGS } from '../fixtures/seed-ids.ts'
import { drainWorker } from '../harness/run-jobs.ts'
import { startServerProcess } from '../harness/server-process.ts'
import { allowLoopback, startReceiver } from '../peers/webhook-receiver.ts'

const { api, context, clock } = await startWorld()
const receiver = await startReceiver()

const WRITERS = [TOM, UMA, MARA] as const
const ARTIFACTS = 4
const VERSIONS = 5

/**
 * After kills between sending and recording, each event arrives at least once, under one id, and first deliveries are
 * in order.
 */
test('workers killed during deliveries lose nothing', async () => {
  await allowLoopback(api)
  const body = { url: receiver.url('/slow/5'), events: ['artifact.created', 'artifact.updated', 'comment.added'] }
  expect((await api.post(`/trackers/${BUGS}/webhooks`, { as: MARA, body })).status).toBe(201)
  const writing = Promise.all(WRITERS.map((as) => write(as)))
  for (const pass of [3, 9]) {
    const worker = await startServerProcess(
      {
        WAYPOST_DATABASE_URL: context.config.WAYPOST_DATABASE_URL,
        WAYPOST_ROLES: 'api,worker',
        WAYPOST_LOG_LEVEL: 'error',
        WAYPOST_CRASH: `webhook.sent:${pass}`,
      },
      true,
    )
    expect(await Promise.race([worker.ended, pause(20_000, 'alive' as const)])).toBe('SIGKILL')
    // Deliveries of a dead worker are claimed when its lease expires; expire it now.
    const over = { taken_until: new Date() }
    await context.db.updateTable('webhook_delivery').set(over).where('taken_until', 'is not', null).execute()
  }
  await writing
  clock.set(new Date(Date.now() + 60_000))
  await drainWorker(context)

  const { json } = await api.get('/events?types=artifact.created,artifact.updated,comment.added&limit=1000', {
    as: MARA,
  })
  const events: { id: string; object: string }[] = json.events
  expect(events).toHaveLength(WRITERS.length * ARTIFACTS * (1 + 2 * (VERSIONS - 1)))
  const came = (await receiver.received()).map(({ headers }) => headers['x-waypost-event-id'])
  expect(new Set(came)).toEqual(new Set(events.map(({ id }) => id)))
  expect(came.length).toBeGreaterThan(events.length) // Some deliveries were interrupted and repeated.
  for (const [object, ofArtifact] of Map.groupBy(events, (event) => event.object)) {
    const ids = ofArtifact.map(({ id }) => id)
    const first = [...new Set(came.filter((id) => id !== undefined && ids.includes(id)))]
    expect([object, first]).toEqual([object, ids])
  }
  const states = await context.db.selectFrom('webhook_delivery').select('state').distinct().execute()
  expect(states).toEqual([{ state: 'delivered' }])
})

async function write(as: (typeof WRITERS)[number]): Promise<void> {
  for (let number = 0; number < ARTIFACTS; number++) {
    const values_by_field = { summary: { value: `${as.login} ${number}` } }
    const { json } = await api.post('/artifacts', { as, body: { tracker: { id: BUGS }, values_by_field } })
    for (let version = 2; version <= VERSIONS; version++) {
      const values = [{ field_id: BUG.summary, value: `${as.login} ${number} ${version}` }]
      const body = { values, comment: { body: `Version ${version}`, format: 'text' } }
      const { status, text } = await api.put(`/artifacts/${json.id}`, { as, body })
      if (status !== 200) throw new Error(text)
      await pause(30)
    }
  }
}
