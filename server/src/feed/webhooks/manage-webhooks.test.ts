import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createBugWebhooks } from '../../../test/fixtures/bug-webhooks.ts'
import { audited } from '../../../test/harness/audited.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, SAM, TOM, UMA } from '../../../test/fixtures/people.ts'
import { BUGS, LEDGER, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { runJobs, drainWorker } from '../../../test/harness/run-jobs.ts'
import { startMailPeer } from '../../../test/peers/mail-peer.ts'
import { allowLoopback, payloadOf, startReceiver } from '../../../test/peers/webhook-receiver.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { enqueuePauseMails } from './pause-mail.ts'
import { purgeTracker } from '../../trackers/purge-tracker.ts'

const peer = await startMailPeer()
const { api, context } = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url } })
const receiver = await startReceiver()
beforeEach(() => allowLoopback(api))

const ofBugs = `/trackers/${BUGS}/webhooks`
const make = (body: object = {}, path = ofBugs, as = MARA) =>
  api.post(path, { as, body: { url: receiver.url(), ...body } })

const { report, deliveriesOf } = createBugWebhooks(api, receiver)

test('a hook of a tracker has the defaults of the original, and its secret is shown once', async () => {
  const made = await make()
  const { id, secret } = made.json
  expect(made.status).toBe(201)
  expect(made.headers['location']).toBe(`https://waypost.example/api/webhooks/${id}`)
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(made.json).toEqual({
    id,
    uri: `webhooks/${id}`,
    resources: [{ type: 'deliveries', uri: `webhooks/${id}/deliveries` }],
    url: receiver.url(),
    events: ['artifact.created', 'artifact.updated'],
    format: 'form',
    payload: 'original',
    as_user: null,
    ordered: false,
    active: true,
    state: 'ok',
    state_reason: null,
    last_status: null,
    place: expect.stringMatching(/^[0-9a-f]+\.[0-9a-f]+$/),
    owner: { id: MARA.id, username: 'mara' },
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
  const { rows: log } = await sql<{ text: string }>`select audit::text as text from audit`.execute(context.db)
  expect(log.map(({ text }) => text).join()).not.toContain(secret)
})

test('a hook of a project sends events with the permissions of its creator, and refuses to have no viewer', async () => {
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
  [{ events: ['artifact.created,artifact.updated'] }, 'parameter_not_allowed'],
  [{ url: 'http://169.254.169.254/' }, 'parameter_not_allowed'],
])('%j is refused', async (body, reason) => {
  const { json } = await make(body)
  expect(json.error.reason).toBe(reason)
})

test('event types can be named by a prefix', async () => {
  const { json } = await make({ events: ['comment.*', 'artifact.deleted'] })
  expect(json.events).toEqual(['comment.added', 'comment.edited', 'artifact.deleted'])
})

test('a tracker has at most twenty hooks', async () => {
  for (let count = 0; count < 20; count++) expect((await make()).status).toBe(201)
  const { status, json } = await make()
  expect([status, json.error.reason, json.error.details.cause]).toEqual([400, 'rule_violated', 'too_many'])
  expect(await make({}, `/projects/${ORCHARD}/webhooks`)).toMatchObject({ status: 201 })
})

test('hooks are listed in pages, only those of the tracker or project', async () => {
  const ofProject = `/projects/${ORCHARD}/webhooks`
  const ofLedger = `/trackers/${LEDGER}/webhooks`
  for (const path of [ofBugs, ofProject, ofLedger]) {
    const ids: number[] = []
    for (let count = 0; count < 3; count++) ids.push((await make({}, path)).json.id)
    const seen: number[] = []
    for (let next: string | undefined = `/api${path}?limit=1`; next !== undefined; ) {
      const page = await api.get(next, { as: MARA })
      expect(page.headers['x-pagination-size']).toBe('3')
      seen.push(...page.json.map(({ id }: { id: number }) => id))
      next = /<([^>]+)>; rel="next"/.exec(String(page.headers.link))?.[1]
    }
    expect(seen).toEqual(ids)
    expect((await api.get(`${path}?limit=2&offset=1`, { as: MARA })).json).toMatchObject([
      { id: ids[1] },
      { id: ids[2] },
    ])
  }
  expect(await api.get(ofBugs, { as: TOM })).toMatchObject({ status: 403 })
  expect(await api.get(ofProject, { as: UMA })).toMatchObject({ status: 403 })
  expect(await api.get(ofBugs, { as: UMA })).toMatchObject({ status: 200 })
})

test('an administrator of a tracker can create hooks without administering the project', async () => {
  expect(await make({}, ofBugs, UMA)).toMatchObject({ status: 201 })
  expect(await make({}, ofBugs, TOM)).toMatchObject({ status: 403 })
  await report()
  await drainWorker(context)
  expect(await receiver.received()).toHaveLength(1)
})

test('a new target is checked like the first one, and changes are audited', async () => {
  const { json } = await make()
  const change = (body: object, as = MARA) => api.patch(`/webhooks/${json.id}`, { as, body })
  expect((await change({ url: 'http://169.254.169.254/' })).json.error).toMatchObject({
    reason: 'parameter_not_allowed',
  })
  expect((await change({ as_user: 999_999 }, ADA)).json.error).toMatchObject({ reason: 'reference_unknown' })
  expect((await change({ as_user: SAM.id }, ADA)).json.error).toMatchObject({ reason: 'reference_unknown' })
  expect(await change({ as_user: TOM.id }, ADA)).toMatchObject({ status: 200, json: { as_user: TOM.id } })
  const object = `webhooks/${json.id}`
  expect(await audited(context, 'webhook.create')).toContainEqual(
    expect.objectContaining({ object, actor_id: MARA.id }),
  )
  expect(await audited(context, 'webhook.update')).toContainEqual(expect.objectContaining({ object, actor_id: ADA.id }))
  await api.post(`/webhooks/${json.id}/test`, { as: MARA })
  expect(await audited(context, 'webhook.test')).toMatchObject([{ after: { event: 'ping' } }])
})

test('a new secret applies to one hook, honours If-Match, and is audited without its value', async () => {
  const { json: hook, headers } = await make()
  const { json: other } = await make()
  const renew = (body: object, etag?: string) =>
    api.put(`/webhooks/${hook.id}/secret`, { as: MARA, body, ...(etag && { headers: { 'if-match': etag } }) })
  expect(await renew({}, '"another"')).toMatchObject({ status: 412 })
  expect(await renew({ secret: 'ü'.repeat(128) }, String(headers['etag']))).toMatchObject({ status: 200 })
  expect((await renew({ secret: `${'ü'.repeat(128)}x` })).json.error.reason).toBe('parameter_out_of_range')
  const done = await audited(context, 'webhook.secret')
  expect(done).toMatchObject([{ object: `webhooks/${hook.id}`, after: { secret: 'renewed' } }])
  await report()
  await drainWorker(context)
  for (const { headers: sent, body } of await receiver.received()) {
    const [moment = '', ...marks] = (sent['x-waypost-signature'] ?? '').split(',')
    const right = (secret: string) =>
      `v1=${createHmac('sha256', secret)
        .update(`${moment.slice(2)}.${body}`)
        .digest('hex')}`
    expect([[right(other.secret)], [right('ü'.repeat(128)), right(hook.secret)]]).toContainEqual(marks)
  }
  expect(await receiver.received()).toHaveLength(2)
})

test('a change with a stale If-Match is refused', async () => {
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

test('a ping is sent even if the hook is inactive', async () => {
  const { json } = await make({ active: false })
  const { status, json: delivery } = await api.post(`/webhooks/${json.id}/test`, { as: MARA })
  expect([status, delivery.event, delivery.state]).toEqual([202, 'ping', 'waiting'])
  await drainWorker(context)
  const [request] = await receiver.received()
  if (!request) throw new Error('Nothing came.')
  expect(request.headers).toMatchObject({ 'x-waypost-event': 'ping', 'x-waypost-event-id': delivery.event_id })
  expect(payloadOf(request)).toMatchObject({ type: 'ping', object: `webhooks/${json.id}`, tracker: { id: BUGS } })
  expect(await deliveriesOf(json.id)).toMatchObject([{ id: delivery.id, state: 'delivered', status: 200 }])
})

test('purging a tracker deletes its hooks', async () => {
  await make()
  await report()
  await drainWorker(context)
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

test('the mail about a pause names the target without the secrets of its address', async () => {
  const { json } = await make({ url: receiver.url('/in?token=sesame') })
  const paused = { id: json.id, project_id: ORCHARD, tracker_id: BUGS, url: json.url }
  await inTransaction(context.db, (tx) => enqueuePauseMails(context, tx, paused, 'receiver_failing'))
  await runJobs(context)
  const mail = peer.mails.find(({ to }) => to.includes(MARA.email))
  expect(mail?.subject).toContain('paused')
  expect(mail?.text).toContain(receiver.url('/in'))
  expect(mail?.raw).not.toContain('sesame')
  expect(peer.mails.some(({ to }) => to.includes(OLGA.email))).toBe(false)
})
