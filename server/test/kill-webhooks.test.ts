import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startWorld } from './harness.ts'
import { MARA, TOM, UMA } from './people.ts'
import { BUG, BUGS } from './places.ts'
import { workOff } from './run-jobs.ts'
import { startServerProcess } from './server-process.ts'
import { allowLoopback, startReceiver } from './webhook-receiver.ts'

const { api, context, clock } = await startWorld()
const receiver = await startReceiver()

const WRITERS = [TOM, UMA, MARA] as const
const ARTIFACTS = 4
const VERSIONS = 5

/** Whatever dies between sending and writing down, each event comes at least once, by one id, in order at the first. */
test('workers that are killed in the middle of deliveries lose nothing', async () => {
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
    // What the dead was at is taken up when its lease is over, which is now.
    const over = { taken_until: new Date() }
    await context.db.updateTable('webhook_delivery').set(over).where('taken_until', 'is not', null).execute()
  }
  await writing
  clock.set(new Date(Date.now() + 60_000))
  await workOff(context)

  const { json } = await api.get('/events?types=artifact.created,artifact.updated,comment.added&limit=1000', {
    as: MARA,
  })
  const events: { id: string; object: string }[] = json.events
  expect(events).toHaveLength(WRITERS.length * ARTIFACTS * (1 + 2 * (VERSIONS - 1)))
  const came = (await receiver.received()).map(({ headers }) => headers['x-waypost-event-id'])
  expect(new Set(came)).toEqual(new Set(events.map(({ id }) => id)))
  expect(came.length).toBeGreaterThan(events.length) // Some of it was cut off, and came again.
  for (const [object, told] of Map.groupBy(events, (event) => event.object)) {
    const ids = told.map(({ id }) => id)
    const first = [...new Set(came.filter((id) => id !== undefined && ids.includes(id)))]
    expect([object, first]).toEqual([object, ids])
  }
  const states = await context.db.selectFrom('webhook_delivery').select('state').distinct().execute()
  expect(states).toEqual([{ state: 'delivered' }])
}, 120_000)

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
