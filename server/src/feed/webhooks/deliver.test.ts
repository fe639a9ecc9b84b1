import { createHmac } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { createBugWebhooks } from '../../../test/fixtures/bug-webhooks.ts'
import { audited } from '../../../test/harness/audited.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, TOM } from '../../../test/fixtures/people.ts'
import { BUG, BUG_STATUS, BUGS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { settleFeed } from '../../../test/harness/settle-feed.ts'
import { allowLoopback, payloadOf, startReceiver } from '../../../test/peers/webhook-receiver.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { planDeliveries } from './plan-deliveries.ts'
import { stopWebhook } from './stop-webhook.ts'

const { api, context, clock } = await startWorld()
const receiver = await startReceiver()
beforeEach(() => allowLoopback(api))

const { hook, report, update } = createBugWebhooks(api, receiver)

test('a new artifact is sent in the format of the original', async () => {
  await hook()
  const id = await report('It leaks')
  await drainWorker(context)
  const [request, ...more] = await receiver.received()
  if (!request) throw new Error('Nothing came.')
  expect(more).toEqual([])
  expect(request.method).toBe('POST')
  expect(request.headers['content-type']).toBe('application/x-www-form-urlencoded')
  expect(request.body.slice(0, 8)).toBe('payload=')
  const payload = payloadOf(request)
  expect(Object.keys(payload)).toEqual([
    'id',
    'action',
    'user',
    'submitter_user_groups',
    'current',
    'previous',
    'is_custom_code_execution',
    'tracker',
  ])
  expect(payload).toMatchObject({ id, action: 'create', previous: null, is_custom_code_execution: false })
  expect(payload.user).toEqual({
    id: TOM.id,
    uri: `users/${TOM.id}`,
    user_url: '/users/tom',
    real_name: 'Tom Tiller',
    display_name: 'Tom Tiller (tom)',
    username: 'tom',
    ldap_id: '',
    avatar_url: 'https://waypost.example/users/tom/avatar.png',
    is_anonymous: false,
    has_avatar: false,
  })
  // In one order, whatever the database finds first: a repetition is the same byte for byte.
  expect(payload.submitter_user_groups.map(({ short_name }: { short_name: string }) => short_name)).toEqual([
    'all_users',
    'registered_users',
    'project_members',
    'authenticated_users',
  ])
  expect(Object.keys(payload.current).toSorted()).toEqual(
    [
      'email',
      'id',
      'last_comment',
      'last_modified_by',
      'last_modified_date',
      'submitted_by',
      'submitted_by_details',
      'submitted_on',
      'values',
    ].toSorted(),
  )
  expect(payload.current.values).toContainEqual(expect.objectContaining({ field_id: BUG.summary, value: 'It leaks' }))
  expect(payload.tracker).toMatchObject({ id: BUGS, item_name: 'bug' })
  expect(payload.tracker.semantics).toBeDefined()
})

test('an update is sent with the previous state; values are in the order of the form', async () => {
  await hook()
  const id = await report('It leaks')
  await update(id, {
    values: [{ field_id: BUG.status, bind_value_ids: [BUG_STATUS.fixed] }],
    comment: { body: 'done', format: 'text' },
  })
  await drainWorker(context)
  const [, request] = await receiver.received()
  if (!request) throw new Error('It did not come.')
  const payload = payloadOf(request)
  expect(payload).toMatchObject({ id, action: 'update', current: { last_comment: { body: 'done' } } })
  const order = (of: { values: { field_id: number }[] }) => of.values.map(({ field_id }) => field_id)
  expect(order(payload.current)).toEqual(order(payload.previous))
  const status = (of: { values: { field_id: number }[] }) => of.values.find(({ field_id }) => field_id === BUG.status)
  expect(status(payload.current)).toMatchObject({ bind_value_ids: [BUG_STATUS.fixed] })
  expect(status(payload.previous)).not.toMatchObject({ bind_value_ids: [BUG_STATUS.fixed] })
})

test('a request is signed, and its headers name event, delivery and attempt', async () => {
  const { secret } = await hook()
  await report('It leaks')
  await drainWorker(context)
  const [request] = await receiver.received()
  if (!request) throw new Error('Nothing came.')
  const { headers, body } = request
  const { json } = await api.get('/events?types=artifact.created', { as: TOM })
  expect(headers).toMatchObject({
    'user-agent': 'Waypost-Webhook/1',
    'x-waypost-event': 'artifact.created',
    'x-waypost-event-id': json.events.at(-1).id,
    'x-waypost-attempt': '1',
  })
  const [, moment, mark] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['x-waypost-signature'] ?? '') ?? []
  expect(Number(moment)).toBe(Math.floor(clock.now().getTime() / 1000))
  expect(mark).toBe(createHmac('sha256', secret).update(`${moment}.${body}`).digest('hex'))
})

test('for a day after a change both secrets sign, then only the new one', async () => {
  const { id, secret } = await hook()
  const given = 'a secret of sixteen bytes or more, ünd möre'
  const { status, json } = await api.put(`/webhooks/${id}/secret`, { as: MARA, body: { secret: given } })
  expect([status, json]).toEqual([200, { secret: given }])
  await report('One')
  await drainWorker(context)
  clock.advance(25 * 3_600_000)
  await report('Two')
  await drainWorker(context)
  const marks = (await receiver.received()).map(({ headers, body }) => {
    const [moment, ...v1] = (headers['x-waypost-signature'] ?? '').split(',')
    const text = `${moment?.slice(2)}.${body}`
    return { v1, right: [given, secret].map((key) => `v1=${createHmac('sha256', key).update(text).digest('hex')}`) }
  })
  expect(marks[0]?.v1).toEqual(marks[0]?.right)
  expect(marks[1]?.v1).toEqual(marks[1]?.right.slice(0, 1))
})

test('a hook with the format JSON receives the same object as its body', async () => {
  await hook({ format: 'json' })
  const id = await report('It leaks')
  await drainWorker(context)
  const [request] = await receiver.received()
  expect(request?.headers['content-type']).toBe('application/json')
  expect(JSON.parse(request?.body ?? '')).toMatchObject({ id, action: 'create' })
})

test('events before the creation of a hook are not sent; events while it is inactive are sent later', async () => {
  await report('Before')
  await drainWorker(context) // Otherwise the event might be settled only after the hook exists, and be sent.
  const { id } = await hook()
  await api.patch(`/webhooks/${id}`, { as: MARA, body: { active: false } })
  const meanwhile = await report('Meanwhile')
  await drainWorker(context)
  expect(await receiver.received()).toEqual([])
  await api.patch(`/webhooks/${id}`, { as: MARA, body: { active: true } })
  await drainWorker(context)
  expect((await receiver.received()).map((each) => payloadOf(each).id)).toEqual([meanwhile])
})

test('a hook of a project receives events with the states before and after, limited to its viewer', async () => {
  await hook({}, `projects/${ORCHARD}`)
  const id = await report('It leaks')
  await update(id, {
    values: [{ field_id: BUG.summary, value: 'It pours' }],
    comment: { body: 'Look', format: 'text' },
  })
  await api.delete(`/artifacts/${id}`, { as: MARA })
  await drainWorker(context)
  const reported = (await receiver.received()).map(payloadOf)
  expect(reported.map(({ type }) => type)).toEqual([
    'artifact.created',
    'artifact.updated',
    'comment.added',
    'artifact.deleted',
  ])
  expect(reported[1]).toMatchObject({ object: `artifacts/${id}`, version: 2, changed: ['summary'], has_comment: true })
  const summary = (of: { values: { field_id: number; value: string }[] } | null) =>
    of?.values.find(({ field_id }) => field_id === BUG.summary)?.value
  expect(reported.map(({ current, previous }) => [summary(previous), summary(current)])).toEqual([
    [undefined, 'It leaks'],
    ['It leaks', 'It pours'],
    ['It leaks', 'It pours'],
    ['It pours', undefined],
  ])
})

test('the state of an artifact that is deleted before the delivery is still sent', async () => {
  await hook()
  const id = await report('It leaks')
  await api.delete(`/artifacts/${id}`, { as: MARA })
  await drainWorker(context)
  expect((await receiver.received()).map(payloadOf)).toMatchObject([{ id, action: 'create' }])
})

test('a ping of a hook of a project names no tracker', async () => {
  const { id } = await hook({}, `projects/${ORCHARD}`)
  await api.post(`/webhooks/${id}/test`, { as: MARA })
  await drainWorker(context)
  expect((await receiver.received()).map(payloadOf)).toMatchObject([
    { type: 'ping', project: { id: ORCHARD }, tracker: null },
  ])
})

test('nothing is sent for an account that cannot sign in, and its planned deliveries are dropped; other hooks deliver', async () => {
  await hook({ as_user: TOM.id, events: ['artifact.created'] }, `projects/${ORCHARD}`, ADA)
  const other = await hook({ url: receiver.url('/other') })
  await report('One')
  await untilPlanned()
  await context.db.updateTable('account').set({ status: 'S' }).where('id', '=', TOM.id).execute()
  await report('Two', MARA)
  await drainWorker(context)
  expect((await receiver.received()).map(({ path }) => path)).toEqual(['/other', '/other'])
  const left = await context.db.selectFrom('webhook_delivery').select(['webhook_id', 'state']).execute()
  expect(left).toEqual([
    { webhook_id: other.id, state: 'delivered' },
    { webhook_id: other.id, state: 'delivered' },
  ])
  await context.db.updateTable('account').set({ status: 'A' }).where('id', '=', TOM.id).execute()
  const three = await report('Three')
  await drainWorker(context)
  const delivered = (await receiver.received()).filter(({ path }) => path === '/').map(payloadOf)
  expect(delivered.map(({ object }) => object)).toEqual([`artifacts/${three}`])
})

async function untilPlanned(): Promise<void> {
  await expect
    .poll(async () => {
      while (await planDeliveries.turn(context));
      return context.db.selectFrom('webhook_delivery').select('id').execute()
    })
    .toHaveLength(2)
}

test('stopping a hook twice for the same reason has one effect, and only on that hook', async () => {
  const [first, other] = [await hook(), await hook()]
  const stopped = { ...first, project_id: ORCHARD, tracker_id: BUGS }
  for (let count = 0; count < 2; count++)
    await inTransaction(context.db, (tx) => stopWebhook(context, tx, stopped, 'receiver_failing'))
  expect(await audited(context, 'webhook.paused')).toMatchObject([{ object: `webhooks/${first.id}` }])
  const rows = await context.db.selectFrom('webhook').select(['id', 'state', 'version']).orderBy('id').execute()
  expect(rows).toEqual([
    { id: first.id, state: 'paused', version: 2 },
    { id: other.id, state: 'ok', version: 1 },
  ])
})

test('nothing of a deleted project is sent, and everything after its restoration', async () => {
  await hook()
  const planned = await report('Planned before the deletion')
  await settleFeed(context)
  while (await planDeliveries.turn(context));
  const unplanned = await report('Not planned before the deletion')
  expect((await api.delete(`/projects/${ORCHARD}`, { as: MARA })).status).toBe(200)
  await drainWorker(context)
  expect(await receiver.received()).toEqual([])
  expect((await api.post(`/projects/${ORCHARD}/restoration`, { as: ADA })).status).toBe(200)
  await drainWorker(context)
  // Deliveries of different artifacts may overtake each other.
  const sent = (await receiver.received()).map((request) => payloadOf(request).id)
  expect(new Set(sent)).toEqual(new Set([planned, unplanned]))
  expect(sent).toHaveLength(2)
})
