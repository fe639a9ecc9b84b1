import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { createBugWebhooks } from '../../../test/fixtures/bug-webhooks.ts'
import { ADA, MARA, TOM } from '../../../test/fixtures/people.ts'
import { LEDGER } from '../../../test/fixtures/seed-ids.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { allowLoopback, payloadOf, startReceiver } from '../../../test/peers/webhook-receiver.ts'
import { cleanDeliveries } from './clean-deliveries.ts'

const { api, context, clock } = await startWorld()
const receiver = await startReceiver()
beforeEach(() => allowLoopback(api))
const { hook: createHook, report, deliveriesOf } = createBugWebhooks(api, receiver)

describe('the log', () => {
  test('shows request and response, without the signature', async () => {
    const hook = await createHook({ url: receiver.url('/status/201') })
    const id = await report()
    await drainWorker(context)
    const [listed] = await deliveriesOf(hook.id)
    expect(listed).toMatchObject({
      event: 'artifact.created',
      state: 'delivered',
      attempts: 1,
      status: 201,
      error: null,
    })
    const { json } = await api.get(`/webhooks/${hook.id}/deliveries/${listed.id}`, { as: MARA })
    const [request] = await receiver.received()
    expect(json.request.body).toBe(request?.body)
    expect(json.request.headers['x-waypost-signature']).toMatch(/^t=\d+,v1=…$/)
    expect(json.request.headers['webhook-signature']).toBe('v1,…')
    expect(json.answer).toMatchObject({ status: 201, body: 'What a day', headers: { 'x-answer': 'said' } })
    expect(payloadOf(json.request).id).toBe(id)
    expect(await api.get(`/webhooks/${hook.id}/deliveries/${listed.id}`, { as: TOM })).toMatchObject({ status: 403 })
    expect(await api.get(`/webhooks/${hook.id}/deliveries/1`, { as: MARA })).toMatchObject({ status: 404 })
  })

  test('is filtered by state and time, newest first, in pages', async () => {
    const hook = await createHook()
    await report('One')
    await drainWorker(context)
    clock.advance(60_000)
    await receiver.answerWith(500)
    await report('Two')
    await drainWorker(context)
    const read = async (query: string) => (await api.get(`/webhooks/${hook.id}/deliveries?${query}`, { as: MARA })).json
    expect((await read('')).map(({ state }: { state: string }) => state)).toEqual(['retrying', 'delivered'])
    expect(await read('state=delivered')).toHaveLength(1)
    expect(await read('from=2026-03-01T09:30:30Z')).toMatchObject([{ state: 'retrying' }])
    expect(await read('limit=1&offset=1')).toMatchObject([{ state: 'delivered' }])
    expect(await api.get(`/webhooks/${hook.id}/deliveries?state=lost`, { as: MARA })).toMatchObject({ status: 400 })
  })

  test('contains the deliveries of one hook; those of another cannot be read or redelivered through it', async () => {
    const hook = await createHook()
    const other = await createHook({ url: receiver.url('/other') }, `trackers/${LEDGER}`)
    const ping = await api.post(`/webhooks/${other.id}/test`, { as: MARA })
    await api.post(`/webhooks/${hook.id}/test`, { as: MARA })
    for (const { status } of [
      await api.get(`/webhooks/${hook.id}/deliveries/${ping.json.id}`, { as: MARA }),
      await api.post(`/webhooks/${hook.id}/deliveries/${ping.json.id}/redeliver`, { as: MARA }),
      await api.post(`/webhooks/${hook.id}/deliveries/1/redeliver`, { as: MARA }),
    ])
      expect(status).toBe(404)
    expect(await api.get(`/webhooks/999999/deliveries`, { as: MARA })).toMatchObject({ status: 404 })
    expect(await api.delete(`/webhooks/999999`, { as: MARA })).toMatchObject({ status: 404 })
    expect(await deliveriesOf(hook.id)).toHaveLength(1)
  })

  test('is paged by cursor, unaffected by new deliveries', async () => {
    const hook = await createHook({ active: false })
    const ids: number[] = []
    const ping = async () => void ids.push((await api.post(`/webhooks/${hook.id}/test`, { as: MARA })).json.id)
    for (let count = 0; count < 3; count++) await ping()
    const seen: number[] = []
    for (
      let next: string | undefined = `/api/webhooks/${hook.id}/deliveries?limit=1&state=waiting`;
      next !== undefined;
    ) {
      const page = await api.get(next, { as: MARA })
      seen.push(...page.json.map(({ id }: { id: number }) => id))
      if (seen.length === 1) await ping()
      next = /<([^>]+)>; rel="next"/.exec(String(page.headers.link))?.[1]
    }
    expect(seen).toEqual(ids.slice(0, 3).toReversed())
    expect((await api.get(`/webhooks/${hook.id}/deliveries?state=delivered`, { as: MARA })).json).toEqual([])
  })

  test('redelivers an event under its old id', async () => {
    const hook = await createHook()
    await report()
    await drainWorker(context)
    const [first] = await deliveriesOf(hook.id)
    const again = await api.post(`/webhooks/${hook.id}/deliveries/${first.id}/redeliver`, { as: MARA })
    expect(again.status).toBe(202)
    expect(again.json).toMatchObject({ event_id: first.event_id, event: 'artifact.created', state: 'waiting' })
    expect(again.json.id).not.toBe(first.id)
    await drainWorker(context)
    const requests = await receiver.received()
    expect(requests.map(({ headers }) => headers['x-waypost-event-id'])).toEqual([first.event_id, first.event_id])
    expect(requests[1]?.headers['x-waypost-delivery']).toBe(String(again.json.id))
    expect(requests[1]?.body).toBe(requests[0]?.body)
  })

  test('redelivers the events between two cursors', async () => {
    const hook = await createHook()
    const ids = [await report('One'), await report('Two'), await report('Three')]
    await drainWorker(context)
    const { json: reported } = await api.get('/events?types=artifact.created', { as: MARA })
    const places = reported.events.map((event: { id: string }) => event.id)
    const replay = (body: object) => api.post(`/webhooks/${hook.id}/replay`, { as: MARA, body })
    expect(await replay({ after: hook.place, until: places[1] })).toMatchObject({ status: 202, json: { events: 2 } })
    await drainWorker(context)
    expect(
      (await receiver.received())
        .slice(3)
        .map((each) => payloadOf(each).id)
        .toSorted((one, other) => one - other),
    ).toEqual(ids.slice(0, 2))
    expect(await replay({ after: places[0] })).toMatchObject({ status: 202, json: { events: 2 } })
    expect(await replay({ after: places[2] })).toMatchObject({ status: 202, json: { events: 0 } })
    const { rows } = await sql`select from audit where action = 'webhook.replay' and outcome = 'done'`.execute(
      context.db,
    )
    expect(rows).toHaveLength(3)
    expect(await replay({ after: 'yesterday' })).toMatchObject({ status: 400 })
    expect((await replay({ after: 'ffff.1.1' })).json.error).toMatchObject({ code: 410, reason: 'cursor_expired' })
  })

  test('drops bodies after a week, and finished deliveries after a month', async () => {
    const hook = await createHook()
    await report()
    await drainWorker(context)
    const [{ id }] = await deliveriesOf(hook.id)
    const show = () => api.get(`/webhooks/${hook.id}/deliveries/${id}`, { as: MARA })
    clock.advance(8 * 86_400_000)
    await cleanDeliveries(context, clock.now())
    expect((await show()).json).toMatchObject({
      state: 'delivered',
      status: 200,
      request: { body: null },
      answer: { body: null },
    })
    clock.advance(23 * 86_400_000)
    await cleanDeliveries(context, clock.now())
    expect(await show()).toMatchObject({ status: 404 })
  })

  test('drops bodies of request and response exactly on time, and keeps unfinished deliveries', async () => {
    const hook = await createHook({ active: false })
    const ids: number[] = []
    for (let count = 0; count < 3; count++)
      ids.push((await api.post(`/webhooks/${hook.id}/test`, { as: MARA })).json.id)
    const set = (id: number | undefined, state: string, request: string | null, answer: string | null) =>
      sql`update webhook_delivery set state = ${state}, request_body = ${request}, answer_body = ${answer}
        where id = ${id}`.execute(context.db)
    await set(ids[0], 'delivered', null, 'said')
    await set(ids[1], 'retrying', 'asked', null)
    const left = async () => {
      const { rows } = await sql<{
        id: number
        has_body: boolean
      }>`select id, coalesce(request_body, answer_body) is not null
        as has_body from webhook_delivery order by id`.execute(context.db)
      return rows.map(({ id, has_body }) => [ids.indexOf(id), has_body])
    }
    const day = 86_400_000
    const cleanAt = (milliseconds: number) => cleanDeliveries(context, new Date(clock.now().getTime() + milliseconds))
    await cleanAt(7 * day - 1)
    expect(await left()).toEqual([
      [0, true],
      [1, true],
      [2, false],
    ])
    await cleanAt(7 * day)
    expect(await left()).toEqual([
      [0, false],
      [1, false],
      [2, false],
    ])
    await cleanAt(30 * day - 1)
    expect(await left()).toHaveLength(3)
    await cleanAt(30 * day)
    expect(await left()).toEqual([
      [1, false],
      [2, false],
    ])
  })

  test('contains no erased person', async () => {
    const hook = await createHook()
    await report()
    await drainWorker(context)
    const [{ id }] = await deliveriesOf(hook.id)
    await api.delete(`/users/${TOM.id}`, { as: ADA, body: { confirm: 'tom' } })
    const { json } = await api.get(`/webhooks/${hook.id}/deliveries/${id}`, { as: MARA })
    expect(json).toMatchObject({ state: 'delivered', request: { body: null } })
    const { rows } = await sql<{ text: string }>`select webhook_delivery::text as text from webhook_delivery`.execute(
      context.db,
    )
    expect(rows.map(({ text }) => text).join()).not.toContain('Tiller')
  })
})
