import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness.ts'
import { ADA, MARA, OLGA, TOM, UMA } from '../../../test/people.ts'
import { BUGS, ORCHARD } from '../../../test/places.ts'
import { runJobs, workOff } from '../../../test/run-jobs.ts'
import { startMailPeer } from '../../../test/mail-peer.ts'
import { allowLoopback, payloadOf, startReceiver } from '../../../test/webhook-receiver.ts'
import { cleanDeliveries } from './clean-deliveries.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { orderPauseMails } from './pause-mail.ts'
import { purgeTracker } from '../../trackers/purge-tracker.ts'

const peer = await startMailPeer()
const { api, context, clock } = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url } })
const receiver = await startReceiver()
beforeEach(() => allowLoopback(api))

const ofBugs = `/trackers/${BUGS}/webhooks`
const make = (body: object = {}, path = ofBugs, as = MARA) =>
  api.post(path, { as, body: { url: receiver.url(), ...body } })

async function report(summary = 'It leaks'): Promise<number> {
  const body = { tracker: { id: BUGS }, values_by_field: { summary: { value: summary } } }
  return (await api.post('/artifacts', { as: TOM, body })).json.id
}
const logOf = async (id: number) => (await api.get(`/webhooks/${id}/deliveries`, { as: MARA })).json

test('a hook of a tracker is as in the original unless it says otherwise, and its secret is shown once', async () => {
  const made = await make()
  const { id, secret } = made.json
  expect(made.status).toBe(201)
  expect(made.headers['location']).toBe(`https://waypost.example/api/webhooks/${id}`)
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(made.json).toEqual({
    id,
    uri: `webhooks/${id}`,
    url: receiver.url(),
    events: ['artifact.created', 'artifact.updated'],
    format: 'form',
    payload: 'original',
    as_user: null,
    ordered: false,
    active: true,
    state: 'ok',
    last_status: null,
    place: expect.stringMatching(/^[0-9a-f]+\.[0-9a-f]+\.[0-9a-f]+$/),
    created_by: { id: MARA.id, username: 'mara' },
    created_on: '2026-03-01T09:30:00+00:00',
    secret,
  })
  const { secret: _, ...shown } = made.json
  expect((await api.get(`/webhooks/${id}`, { as: UMA })).json).toEqual(shown)
  const list = await api.get(ofBugs, { as: UMA })
  expect([list.json, list.headers['x-pagination-size']]).toEqual([[shown], '1'])
  const { rows } = await sql<{ text: string }>`select webhook::text as text from webhook`.execute(context.db)
  expect(rows.map(({ text }) => text).join()).not.toContain(secret)
  const { rows: audited } = await sql<{ text: string }>`select audit::text as text from audit`.execute(context.db)
  expect(audited.map(({ text }) => text).join()).not.toContain(secret)
})

test('a hook of a project tells events with the eyes of who made it, and needs some', async () => {
  const path = `/projects/${ORCHARD}/webhooks`
  const { json } = await make({}, path)
  expect(json).toMatchObject({ format: 'form', payload: 'event', as_user: MARA.id })
  expect(json.events).toContain('artifact.moved')
  expect(await make({ as_user: null }, path)).toMatchObject({ status: 400 })
  expect(await make({}, path, UMA)).toMatchObject({ status: 403 })
  expect((await api.get(path, { as: MARA })).json).toHaveLength(1)
  expect((await api.get(ofBugs, { as: MARA })).json).toEqual([])
})

test.each([
  [{ events: ['artifact.exploded'] }, 'parameter_not_allowed'],
  [{ events: [] }, 'parameter_out_of_range'],
  [{ secret: 'short' }, 'parameter_out_of_range'],
  [{ secret: 'ü'.repeat(200) }, 'parameter_out_of_range'],
  [{ as_user: 999_999 }, 'permission_denied'],
  [{ format: 'yaml' }, 'parameter_not_allowed'],
])('%j is refused', async (body, reason) => {
  const { json } = await make(body)
  expect(json.error.reason).toBe(reason)
})

test('types of events may be named by what they begin with', async () => {
  const { json } = await make({ events: ['comment.*', 'artifact.deleted'] })
  expect(json.events).toEqual(['comment.added', 'comment.edited', 'artifact.deleted'])
})

test('a tracker has twenty hooks, and no more', async () => {
  for (let count = 0; count < 20; count++) expect((await make()).status).toBe(201)
  const { status, json } = await make()
  expect([status, json.error.reason, json.error.details.cause]).toEqual([400, 'rule_violated', 'too_many'])
  expect(await make({}, `/projects/${ORCHARD}/webhooks`)).toMatchObject({ status: 201 })
}, 30_000)

test('who has read another version changes nothing', async () => {
  const { json, headers } = await make()
  const path = `/webhooks/${json.id}`
  const change = (body: object, etag = headers['etag']) =>
    api.patch(path, { as: MARA, body, headers: { 'if-match': etag } })
  expect(await change({ format: 'json', ordered: true })).toMatchObject({ status: 200 })
  expect(await change({ format: 'form' })).toMatchObject({ status: 412 })
  expect((await api.get(path, { as: MARA })).json).toMatchObject({ format: 'json', ordered: true })
  expect(await api.delete(path, { as: MARA, headers: { 'if-match': headers['etag'] } })).toMatchObject({ status: 412 })
  expect(await api.delete(path, { as: MARA })).toMatchObject({ status: 200, text: '' })
  expect(await api.get(path, { as: MARA })).toMatchObject({ status: 404 })
})

test('a ping comes whether or not the hook is switched on', async () => {
  const { json } = await make({ active: false })
  const { status, json: delivery } = await api.post(`/webhooks/${json.id}/test`, { as: MARA })
  expect([status, delivery.event, delivery.state]).toEqual([202, 'ping', 'waiting'])
  await workOff(context)
  const [request] = await receiver.received()
  if (!request) throw new Error('Nothing came.')
  expect(request.headers).toMatchObject({ 'x-waypost-event': 'ping', 'x-waypost-event-id': delivery.event_id })
  expect(payloadOf(request)).toMatchObject({ type: 'ping', object: `webhooks/${json.id}`, tracker: { id: BUGS } })
  expect(await logOf(json.id)).toMatchObject([{ id: delivery.id, state: 'delivered', status: 200 }])
})

describe('the log', () => {
  test('shows what was sent and what came back, without the signature', async () => {
    const { json: hook } = await make({ url: receiver.url('/status/201') })
    const id = await report()
    await workOff(context)
    const [listed] = await logOf(hook.id)
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
    expect(json.answer).toMatchObject({ status: 201, body: 'What a day', headers: { 'x-answer': 'said' } })
    expect(payloadOf(json.request).id).toBe(id)
    expect(await api.get(`/webhooks/${hook.id}/deliveries/${listed.id}`, { as: TOM })).toMatchObject({ status: 403 })
    expect(await api.get(`/webhooks/${hook.id}/deliveries/1`, { as: MARA })).toMatchObject({ status: 404 })
  })

  test('is read by state and time, newest first, page by page', async () => {
    const { json: hook } = await make()
    await report('One')
    await workOff(context)
    clock.advance(60_000)
    await receiver.answerWith(500)
    await report('Two')
    await workOff(context)
    const read = async (query: string) => (await api.get(`/webhooks/${hook.id}/deliveries?${query}`, { as: MARA })).json
    expect((await read('')).map(({ state }: { state: string }) => state)).toEqual(['retrying', 'delivered'])
    expect(await read('state=delivered')).toHaveLength(1)
    expect(await read('from=2026-03-01T09:30:30Z')).toMatchObject([{ state: 'retrying' }])
    expect(await read('limit=1&offset=1')).toMatchObject([{ state: 'delivered' }])
    expect(await api.get(`/webhooks/${hook.id}/deliveries?state=lost`, { as: MARA })).toMatchObject({ status: 400 })
  })

  test('an event is delivered again by its old id', async () => {
    const { json: hook } = await make()
    await report()
    await workOff(context)
    const [first] = await logOf(hook.id)
    const again = await api.post(`/webhooks/${hook.id}/deliveries/${first.id}/redeliver`, { as: MARA })
    expect(again.status).toBe(202)
    expect(again.json).toMatchObject({ event_id: first.event_id, event: 'artifact.created', state: 'waiting' })
    expect(again.json.id).not.toBe(first.id)
    await workOff(context)
    const requests = await receiver.received()
    expect(requests.map(({ headers }) => headers['x-waypost-event-id'])).toEqual([first.event_id, first.event_id])
    expect(requests[1]?.headers['x-waypost-delivery']).toBe(String(again.json.id))
    expect(requests[1]?.body).toBe(requests[0]?.body)
  })

  test('what happened after a place is delivered again, up to another', async () => {
    const { json: hook } = await make()
    const ids = [await report('One'), await report('Two'), await report('Three')]
    await workOff(context)
    const { json: told } = await api.get('/events?types=artifact.created', { as: MARA })
    const places = told.events.map((event: { id: string }) => event.id)
    const replay = (body: object) => api.post(`/webhooks/${hook.id}/replay`, { as: MARA, body })
    expect(await replay({ after: hook.place, until: places[1] })).toMatchObject({ status: 202, json: { events: 2 } })
    await workOff(context)
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

  test('bodies go after a week, and what is finished after a month', async () => {
    const { json: hook } = await make()
    await report()
    await workOff(context)
    const [{ id }] = await logOf(hook.id)
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

  test('a person who is erased is in no body any more', async () => {
    const { json: hook } = await make()
    await report()
    await workOff(context)
    const [{ id }] = await logOf(hook.id)
    await api.delete(`/users/${TOM.id}`, { as: ADA, body: { confirm: 'tom' } })
    const { json } = await api.get(`/webhooks/${hook.id}/deliveries/${id}`, { as: MARA })
    expect(json).toMatchObject({ state: 'delivered', request: { body: null } })
    const { rows } = await sql<{ text: string }>`select webhook_delivery::text as text from webhook_delivery`.execute(
      context.db,
    )
    expect(rows.map(({ text }) => text).join()).not.toContain('Tiller')
  })
})

test('hooks go with their tracker', async () => {
  await make()
  await report()
  await workOff(context)
  await context.db.deleteFrom('event').execute()
  for (const table of [
    'artifact_words',
    'artifact_reference',
    'changeset',
    'value_index',
    'number_index',
    'artifact',
  ] as const)
    await context.db.deleteFrom(table).execute()
  await inTransaction(context.db, (tx) => purgeTracker(tx, BUGS))
  for (const table of ['webhook', 'webhook_delivery'] as const)
    expect(await context.db.selectFrom(table).selectAll().execute()).toEqual([])
})

test('the mail that tells of a pause names the target, and no secret of its address', async () => {
  const { json } = await make({ url: receiver.url('/in?token=sesame') })
  const paused = { webhook_id: json.id, project_id: ORCHARD, tracker_id: BUGS, url: json.url }
  await inTransaction(context.db, (tx) => orderPauseMails(context, tx, paused))
  await runJobs(context)
  const mail = peer.mails.find(({ to }) => to.includes(MARA.email))
  expect(mail?.subject).toContain('paused')
  expect(mail?.text).toContain(receiver.url('/in'))
  expect(mail?.raw).not.toContain('sesame')
  expect(peer.mails.some(({ to }) => to.includes(OLGA.email))).toBe(false)
})

describe('the definition of a tracker', () => {
  const path = `/trackers/${BUGS}/definition`
  const hooksIn = async () => (await api.get(path, { as: MARA })).json.webhooks

  test('lists its hooks, and no secret', async () => {
    const { json } = await make({ events: ['comment.added'], format: 'json' })
    const { json: definition, text } = await api.get(path, { as: MARA })
    expect(definition.webhooks).toEqual([{ url: json.url, events: ['comment.added'], format: 'json' }])
    expect(text).not.toContain(json.secret)
    await api.patch(`/webhooks/${json.id}`, { as: MARA, body: { format: 'form' } })
    expect(await hooksIn()).toMatchObject([{ format: 'form' }])
    await api.delete(`/webhooks/${json.id}`, { as: MARA })
    expect(await hooksIn()).toEqual([])
  })

  test('makes, changes and removes hooks; those that stay keep secret and place', async () => {
    const { json: first } = await make()
    await make({ url: receiver.url('/second') })
    const { json: definition } = await api.get(path, { as: MARA })
    const webhooks = [
      { url: first.url, events: ['artifact.deleted'] },
      { url: receiver.url('/new'), format: 'json' },
    ]
    const put = await api.put(path, { as: MARA, body: { ...definition, webhooks } })
    expect([put.status, put.text.includes('secret')]).toEqual([200, false])
    const { json } = await api.get(ofBugs, { as: MARA })
    expect(json).toMatchObject([
      { id: first.id, events: ['artifact.deleted'], format: 'form', place: first.place },
      { url: receiver.url('/new'), events: ['artifact.created', 'artifact.updated'], format: 'json', active: true },
    ])
    await report()
    await workOff(context)
    const [request] = await receiver.received()
    expect(request).toMatchObject({ path: '/new' })
    expect(request?.headers['x-waypost-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
  })

  test('makes no hook that could not be made otherwise', async () => {
    const { json: definition } = await api.get(path, { as: MARA })
    const put = (webhooks: object[]) => api.put(path, { as: MARA, body: { ...definition, webhooks } })
    const inner = await put([{ url: 'http://169.254.169.254/latest' }])
    expect(inner.json.error).toMatchObject({
      reason: 'parameter_not_allowed',
      details: { cause: 'target', path: '/webhooks/0/url' },
    })
    expect(await put([{ url: receiver.url(), events: ['nothing.at_all'] }])).toMatchObject({ status: 400 })
    const many = Array.from({ length: 21 }, (_, number) => ({ url: receiver.url(`/${number}`) }))
    expect((await put(many)).json.error).toMatchObject({ reason: 'rule_violated' })
    expect(await hooksIn()).toEqual([])
  })
})
