import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness.ts'
import { ADA, MARA, TOM, UMA } from '../../../test/people.ts'
import { BUG, BUG_STATUS, BUGS, ORCHARD } from '../../../test/places.ts'
import { workOff } from '../../../test/run-jobs.ts'
import { allowLoopback, payloadOf, startReceiver } from '../../../test/webhook-receiver.ts'

const { api, context, clock } = await startWorld()
const receiver = await startReceiver()
beforeEach(() => allowLoopback(api))

async function hook(body: object = {}, of = `trackers/${BUGS}`, as = MARA) {
  const { status, json, text } = await api.post(`/${of}/webhooks`, { as, body: { url: receiver.url(), ...body } })
  if (status !== 201) throw new Error(text)
  return json
}

async function report(summary: string, as = TOM): Promise<number> {
  const body = { tracker: { id: BUGS }, values_by_field: { summary: { value: summary } } }
  const { status, json, text } = await api.post('/artifacts', { as, body })
  if (status !== 201) throw new Error(text)
  return json.id
}

async function update(id: number, body: object, as = TOM): Promise<void> {
  const { status, text } = await api.put(`/artifacts/${id}`, { as, body })
  if (status !== 200) throw new Error(text)
}

test('a new artifact is told in the form that receivers of the original know', async () => {
  await hook()
  const id = await report('It leaks')
  await workOff(context)
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

test('an update is told with the state before, both with their values in the order of the form', async () => {
  await hook()
  const id = await report('It leaks')
  await update(id, {
    values: [{ field_id: BUG.status, bind_value_ids: [BUG_STATUS.fixed] }],
    comment: { body: 'done', format: 'text' },
  })
  await workOff(context)
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

test('what was sent is signed, and names event, delivery and attempt', async () => {
  const { secret } = await hook()
  await report('It leaks')
  await workOff(context)
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

test('for a day after a change both secrets sign, then the new one alone', async () => {
  const { id, secret } = await hook()
  const given = 'a secret of sixteen bytes or more, ünd möre'
  const { status, json } = await api.put(`/webhooks/${id}/secret`, { as: MARA, body: { secret: given } })
  expect([status, json]).toEqual([200, { secret: given }])
  await report('One')
  await workOff(context)
  clock.advance(25 * 3_600_000)
  await report('Two')
  await workOff(context)
  const marks = (await receiver.received()).map(({ headers, body }) => {
    const [moment, ...v1] = (headers['x-waypost-signature'] ?? '').split(',')
    const text = `${moment?.slice(2)}.${body}`
    return { v1, right: [given, secret].map((key) => `v1=${createHmac('sha256', key).update(text).digest('hex')}`) }
  })
  expect(marks[0]?.v1).toEqual(marks[0]?.right)
  expect(marks[1]?.v1).toEqual(marks[1]?.right.slice(0, 1))
})

test('a hook in JSON gets the same object as the body', async () => {
  await hook({ format: 'json' })
  const id = await report('It leaks')
  await workOff(context)
  const [request] = await receiver.received()
  expect(request?.headers['content-type']).toBe('application/json')
  expect(JSON.parse(request?.body ?? '')).toMatchObject({ id, action: 'create' })
})

test('nothing is told before the hook was there, nor while it is off; then it goes on where it stopped', async () => {
  await report('Before')
  await workOff(context) // Waits until it is settled: what is not yet would be told.
  const { id } = await hook()
  await api.patch(`/webhooks/${id}`, { as: MARA, body: { active: false } })
  const meanwhile = await report('Meanwhile')
  await workOff(context)
  expect(await receiver.received()).toEqual([])
  await api.patch(`/webhooks/${id}`, { as: MARA, body: { active: true } })
  await workOff(context)
  expect((await receiver.received()).map((each) => payloadOf(each).id)).toEqual([meanwhile])
})

test('a hook of a project gets events with the states around them, as far as its eyes see', async () => {
  await hook({}, `projects/${ORCHARD}`)
  const id = await report('It leaks')
  await update(id, {
    values: [{ field_id: BUG.summary, value: 'It pours' }],
    comment: { body: 'Look', format: 'text' },
  })
  await api.delete(`/artifacts/${id}`, { as: MARA })
  await workOff(context)
  const told = (await receiver.received()).map(payloadOf)
  expect(told.map(({ type }) => type)).toEqual([
    'artifact.created',
    'artifact.updated',
    'comment.added',
    'artifact.deleted',
  ])
  expect(told[1]).toMatchObject({ object: `artifacts/${id}`, version: 2, changed: ['summary'], has_comment: true })
  const summary = (of: { values: { field_id: number; value: string }[] } | null) =>
    of?.values.find(({ field_id }) => field_id === BUG.summary)?.value
  expect(told.map(({ current, previous }) => [summary(previous), summary(current)])).toEqual([
    [undefined, 'It leaks'],
    ['It leaks', 'It pours'],
    ['It leaks', 'It pours'],
    ['It pours', undefined],
  ])
})

test('a state that was deleted meanwhile is still told', async () => {
  await hook()
  const id = await report('It leaks')
  await api.delete(`/artifacts/${id}`, { as: MARA })
  await workOff(context)
  expect((await receiver.received()).map(payloadOf)).toMatchObject([{ id, action: 'create' }])
})

describe('what goes wrong', () => {
  const deliveriesOf = async (id: number) => (await api.get(`/webhooks/${id}/deliveries`, { as: MARA })).json
  const one = async (id: number) => (await deliveriesOf(id))[0]

  test.each([500, 408, 425, 429])('%i is tried again', async (status) => {
    const { id } = await hook({ url: receiver.url(`/once/${status}`) })
    await report('It leaks')
    await workOff(context)
    expect(await one(id)).toMatchObject({ state: 'retrying', attempts: 1, status })
    expect((await api.get(`/webhooks/${id}`, { as: MARA })).json).toMatchObject({
      state: 'failing',
      last_status: status,
    })
    clock.advance(8000)
    await workOff(context)
    expect(await one(id)).toMatchObject({ state: 'retrying', attempts: 1 })
    clock.advance(4000)
    await workOff(context)
    expect(await one(id)).toMatchObject({ state: 'delivered', attempts: 2, status: 200, error: null })
    const [first, second] = await receiver.received()
    expect(second?.headers['x-waypost-event-id']).toBe(first?.headers['x-waypost-event-id'])
    expect(second?.headers['x-waypost-delivery']).toBe(first?.headers['x-waypost-delivery'])
    expect(second?.headers['x-waypost-attempt']).toBe('2')
    expect(second?.body).toBe(first?.body)
    expect((await api.get(`/webhooks/${id}`, { as: MARA })).json).toMatchObject({ state: 'ok', last_status: 200 })
  })

  test.each([400, 404, 302])('%i is final', async (status) => {
    const { id } = await hook({ url: receiver.url(`/status/${status}`) })
    await report('It leaks')
    await workOff(context)
    clock.advance(48 * 3_600_000)
    await workOff(context)
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'failed', attempts: 1, status }])
  })

  test('a receiver that hangs up is tried again, and the log says why', async () => {
    const { id } = await hook({ url: receiver.url('/drop') })
    await report('It leaks')
    await workOff(context)
    expect(await one(id)).toMatchObject({ state: 'retrying', status: null, error: 'ECONNRESET' })
  })

  test('the receiver may ask for more time, up to an hour', async () => {
    const { id } = await hook({ url: receiver.url('/status/503?retry_after=86400') })
    await report('It leaks')
    await workOff(context)
    clock.advance(59 * 60_000)
    await workOff(context)
    expect(await one(id)).toMatchObject({ attempts: 1 })
    clock.advance(2 * 60_000)
    await workOff(context)
    expect(await one(id)).toMatchObject({ attempts: 2 })
  })

  test('410 switches the hook off', async () => {
    const { id } = await hook({ url: receiver.url('/status/410') })
    await report('One')
    await workOff(context)
    await report('Two')
    await workOff(context)
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'failed', status: 410 }])
    const { json } = await api.get(`/webhooks/${id}`, { as: MARA })
    expect(json).toMatchObject({ active: false, state: 'off', last_status: 410 })
  })

  test('given up after eight more attempts, it stands among the jobs and can be tried again there', async () => {
    const { id } = await hook()
    await receiver.answerWith(500)
    await report('It leaks')
    for (const minutes of [0, 1, 1, 3, 12, 70, 220, 600, 1800]) {
      clock.advance(minutes * 60_000)
      await workOff(context)
    }
    const { id: delivery, ...rest } = await one(id)
    expect(rest).toMatchObject({ state: 'parked', attempts: 9, status: 500 })
    const { json: jobs } = await api.get('/jobs?type=webhook_delivery&state=parked', { as: ADA })
    expect(jobs).toMatchObject([{ object: `webhooks/${id}/deliveries/${delivery}` }])
    await receiver.answerWith(200)
    expect(await api.post(`/jobs/${jobs[0].id}/retry`, { as: ADA })).toMatchObject({ status: 202 })
    await workOff(context)
    await workOff(context)
    expect(await one(id)).toMatchObject({ id: delivery, state: 'delivered', status: 200 })
  })

  test('after three days without success the hook is paused, its administrators are told, and nothing is lost', async () => {
    const { id } = await hook()
    await receiver.answerWith(500)
    const first = await report('One')
    await workOff(context)
    clock.advance(3 * 86_400_000 + 1000)
    const two = await report('Two')
    await workOff(context)
    const { json } = await api.get(`/webhooks/${id}`, { as: MARA })
    expect(json).toMatchObject({ active: false, state: 'paused' })
    const mails = await context.db.selectFrom('job').select('payload').where('object', '=', `webhooks/${id}`).execute()
    const told = mails.map(({ payload }) => payload)
    for (const admin of [MARA, UMA])
      expect(told).toContainEqual(expect.objectContaining({ template: 'webhook_paused', account_id: admin.id }))
    expect(told).not.toContainEqual(expect.objectContaining({ account_id: TOM.id }))
    const three = await report('Three')
    await receiver.answerWith(200)
    await workOff(context)
    await api.patch(`/webhooks/${id}`, { as: MARA, body: { active: true } })
    clock.advance(86_400_000)
    await workOff(context)
    const ids = (await receiver.received()).map((each) => payloadOf(each).id)
    expect(new Set(ids.slice(-3))).toEqual(new Set([first, two, three]))
    expect((await deliveriesOf(id)).map(({ state }: { state: string }) => state)).toEqual([
      'delivered',
      'delivered',
      'delivered',
    ])
  })

  test('of one artifact nothing is tried before what came earlier was tried; others do not wait', async () => {
    await hook({ url: receiver.url('/once/503') })
    const id = await report('One')
    await update(id, { values: [{ field_id: BUG.summary, value: 'Two' }] })
    await update(id, { values: [{ field_id: BUG.summary, value: 'Three' }] })
    await workOff(context)
    const places = (await receiver.received()).map(({ headers }) => headers['x-waypost-event-id'])
    const { json } = await api.get('/events?types=artifact.created,artifact.updated', { as: TOM })
    expect(places).toEqual(json.events.map((event: { id: string }) => event.id))
  })

  test('where order counts, each delivery waits until the one before has come or was given up', async () => {
    await hook({ ordered: true })
    await receiver.answerWith(500)
    const ids = [await report('One'), await report('Two')]
    await workOff(context)
    expect((await receiver.received()).map((each) => payloadOf(each).id)).toEqual([ids[0]])
    await receiver.answerWith(200)
    clock.advance(12_000)
    await workOff(context)
    expect((await receiver.received()).map((each) => payloadOf(each).id)).toEqual([ids[0], ids[0], ids[1]])
  })

  test('a hook has four deliveries at once, and no more', async () => {
    await hook({ url: receiver.url('/slow/150') })
    for (let number = 0; number < 10; number++) await report(`Bug ${number}`)
    await workOff(context)
    expect(await receiver.received()).toHaveLength(10)
    const most = await receiver.mostFlying()
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(4)
  })

  test('D08 what waits for a hook is bounded, and the rest waits in the feed', async () => {
    const { id } = await hook()
    await report('It leaks')
    await sql`insert into event (type, object, project_id, payload)
      select 'artifact.updated', event.object, event.project_id, event.payload
      from event, generate_series(1, 1900) where event.type = 'artifact.created'`.execute(context.db)
    await sql`update webhook set failures = 9, held_until = ${new Date(clock.now().getTime() + 60_000)}`.execute(
      context.db,
    )
    await workOff(context)
    const { rows } = await sql<{ count: number }>`select count(*) from webhook_delivery`.execute(context.db)
    expect(rows[0]?.count).toBeLessThanOrEqual(1500)
    const { json } = await api.get(`/webhooks/${id}`, { as: MARA })
    const { json: rest } = await api.get(`/events?after=${json.place}&types=artifact.*&limit=1000`, { as: MARA })
    expect(rest.events.length).toBe(1901 - (rows[0]?.count ?? 0))
    expect(await receiver.received()).toEqual([])
  })

  test('a receiver that is down is left alone for a while, and the others are served', async () => {
    const { id } = await hook({ url: receiver.url('/status/503') })
    await hook({ url: receiver.url('/works') })
    for (let number = 0; number < 20; number++) await report(`Bug ${number}`)
    await workOff(context)
    const requests = await receiver.received()
    const asked = requests.filter(({ path }) => path === '/status/503').length
    expect(asked).toBeGreaterThanOrEqual(5)
    expect(asked).toBeLessThan(12)
    expect(requests.filter(({ path }) => path === '/works')).toHaveLength(20)
    clock.advance(170_000)
    await workOff(context)
    const again = (await receiver.received()).filter(({ path }) => path === '/status/503').length - asked
    expect(again).toBe(1) // One is sent to see whether it is back.
    const { json } = await api.get(`/webhooks/${id}/deliveries?state=waiting&limit=100`, { as: MARA })
    expect(json.length).toBeGreaterThan(0)
  })
})
