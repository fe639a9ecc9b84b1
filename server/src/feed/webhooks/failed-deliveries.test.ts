import { beforeEach, describe, expect, test } from 'vitest'
import { createBugWebhooks } from '../../../test/fixtures/bug-webhooks.ts'
import { ADA, MARA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { allowLoopback, payloadOf, startReceiver } from '../../../test/peers/webhook-receiver.ts'

const { api, context, clock } = await startWorld()
const receiver = await startReceiver()
beforeEach(() => allowLoopback(api))
const { hook, report, deliveriesOf } = createBugWebhooks(api, receiver)

describe('a failed delivery', () => {
  const one = async (id: number) => (await deliveriesOf(id))[0]

  test.each([500, 408, 425, 429])('with status %i is retried', async (status) => {
    const { id } = await hook({ url: receiver.url(`/once/${status}`) })
    await report('It leaks')
    await drainWorker(context)
    expect(await one(id)).toMatchObject({ state: 'retrying', attempts: 1, status })
    expect((await api.get(`/webhooks/${id}`, { as: MARA })).json).toMatchObject({
      state: 'failing',
      last_status: status,
    })
    clock.advance(8000)
    await drainWorker(context)
    expect(await one(id)).toMatchObject({ state: 'retrying', attempts: 1 })
    clock.advance(4000)
    await drainWorker(context)
    expect(await one(id)).toMatchObject({ state: 'delivered', attempts: 2, status: 200, error: null })
    const [first, second] = await receiver.received()
    expect(second?.headers['x-waypost-event-id']).toBe(first?.headers['x-waypost-event-id'])
    expect(second?.headers['x-waypost-delivery']).toBe(first?.headers['x-waypost-delivery'])
    expect(second?.headers['x-waypost-attempt']).toBe('2')
    expect(second?.body).toBe(first?.body)
    expect((await api.get(`/webhooks/${id}`, { as: MARA })).json).toMatchObject({ state: 'ok', last_status: 200 })
  })

  test.each([400, 404, 302])('with status %i is final', async (status) => {
    const { id } = await hook({ url: receiver.url(`/status/${status}`) })
    await report('It leaks')
    await drainWorker(context)
    clock.advance(48 * 3_600_000)
    await drainWorker(context)
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'failed', attempts: 1, status }])
  })

  test('by a closed connection is retried, and the log has the error', async () => {
    const { id } = await hook({ url: receiver.url('/drop') })
    await report('It leaks')
    await drainWorker(context)
    expect(await one(id)).toMatchObject({ state: 'retrying', status: null, error: 'ECONNRESET' })
  })

  test('waits for Retry-After, up to an hour', async () => {
    const { id } = await hook({ url: receiver.url('/status/503?retry_after=86400') })
    await report('It leaks')
    await drainWorker(context)
    clock.advance(59 * 60_000)
    await drainWorker(context)
    expect(await one(id)).toMatchObject({ attempts: 1 })
    clock.advance(2 * 60_000)
    await drainWorker(context)
    expect(await one(id)).toMatchObject({ attempts: 2 })
  })

  test('waits for a Retry-After that is a date', async () => {
    const { id } = await hook({ url: receiver.url('/status/503?retry_after=Sun,%2001%20Mar%202026%2009:40:00%20GMT') })
    await report('It leaks')
    await drainWorker(context)
    clock.advance(9 * 60_000)
    await drainWorker(context)
    expect(await one(id)).toMatchObject({ attempts: 1 })
    clock.advance(60_000)
    await drainWorker(context)
    expect(await one(id)).toMatchObject({ attempts: 2 })
  })

  test('with status 410 deactivates the hook', async () => {
    const { id } = await hook({ url: receiver.url('/status/410') })
    await report('One')
    await drainWorker(context)
    await report('Two')
    await drainWorker(context)
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'failed', status: 410 }])
    const { json } = await api.get(`/webhooks/${id}`, { as: MARA })
    expect(json).toMatchObject({ active: false, state: 'off', last_status: 410 })
  })

  test('is parked after nine attempts, and can be retried as a job', async () => {
    const { id } = await hook()
    await receiver.answerWith(500)
    await report('It leaks')
    for (const minutes of [0, 1, 1, 3, 12, 70, 220, 600, 1800]) {
      clock.advance(minutes * 60_000)
      await drainWorker(context)
    }
    const { id: delivery, ...rest } = await one(id)
    expect(rest).toMatchObject({ state: 'parked', attempts: 9, status: 500 })
    const { json: jobs } = await api.get('/jobs?type=webhook_delivery&state=parked', { as: ADA })
    expect(jobs).toMatchObject([{ object: `webhooks/${id}/deliveries/${delivery}` }])
    await receiver.answerWith(200)
    expect(await api.post(`/jobs/${jobs[0].id}/retry`, { as: ADA })).toMatchObject({ status: 202 })
    await drainWorker(context)
    await drainWorker(context)
    expect(await one(id)).toMatchObject({ id: delivery, state: 'delivered', status: 200 })
  })

  test('for three days pauses the hook and mails its administrators; no event is lost', async () => {
    const { id } = await hook()
    await receiver.answerWith(500)
    const first = await report('One')
    await drainWorker(context)
    clock.advance(3 * 86_400_000 + 1000)
    const two = await report('Two')
    await drainWorker(context)
    const { json } = await api.get(`/webhooks/${id}`, { as: MARA })
    expect(json).toMatchObject({ active: false, state: 'paused' })
    const mails = await context.db.selectFrom('job').select('payload').where('object', '=', `webhooks/${id}`).execute()
    const reported = mails.map(({ payload }) => payload)
    for (const admin of [MARA, UMA])
      expect(reported).toContainEqual(expect.objectContaining({ template: 'webhook_paused', account_id: admin.id }))
    expect(reported).not.toContainEqual(expect.objectContaining({ account_id: TOM.id }))
    const three = await report('Three')
    await receiver.answerWith(200)
    await drainWorker(context)
    await api.patch(`/webhooks/${id}`, { as: MARA, body: { active: true } })
    clock.advance(86_400_000)
    await drainWorker(context)
    const ids = (await receiver.received()).map((each) => payloadOf(each).id)
    expect(new Set(ids.slice(-3))).toEqual(new Set([first, two, three]))
    expect((await deliveriesOf(id)).map(({ state }: { state: string }) => state)).toEqual([
      'delivered',
      'delivered',
      'delivered',
    ])
  })
})
