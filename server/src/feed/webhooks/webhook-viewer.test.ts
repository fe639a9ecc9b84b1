import { expect, test } from 'vitest'
import { foreignCanaries } from '../../../test/fixtures/canaries.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson, RITA, TOM, UMA, VICTOR } from '../../../test/fixtures/people.ts'
import { BUGS, LEADS, ORCHARD, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { settleFeed } from '../../../test/harness/settle-feed.ts'
import { makeVisibilityWorld } from '../../../test/fixtures/visibility-world.ts'
import { allowLoopback, payloadOf, startReceiver } from '../../../test/peers/webhook-receiver.ts'

const { api, context } = await startWorld()
const receiver = await startReceiver()
const PEOPLE: readonly TestPerson[] = [RITA, OLGA, GUS, TOM, MARA]

async function hook(as_user: number | undefined, of: string, as: TestPerson, body: object = {}) {
  await settleFeed(context) // A hook starts at the end of the settled feed: earlier events of the test must not reach it.
  const { status, json, text } = await api.post(`/${of}/webhooks`, {
    as,
    body: { url: receiver.url(`/${as_user}`), ...(as_user !== undefined && { as_user }), ...body },
  })
  if (status !== 201) throw new Error(text)
  return json
}

async function report(as = TOM): Promise<number> {
  const body = { tracker: { id: BUGS }, values_by_field: { summary: { value: 'It leaks' } } }
  return (await api.post('/artifacts', { as, body })).json.id
}

test('each hook sends what its viewer may read, and nothing else', async () => {
  await allowLoopback(api)
  for (const person of PEOPLE) await hook(person.id, `projects/${ORCHARD}`, ADA)
  const world = await makeVisibilityWorld(api)
  await drainWorker(context)
  const requests = await receiver.received()
  for (const person of PEOPLE) {
    const own = requests.filter(({ path }) => path === `/${person.id}`)
    const reported = own.map((each) => JSON.stringify(payloadOf(each))).join('\n')
    expect([person.login, foreignCanaries(reported, person)]).toEqual([person.login, []])
    const objects = new Set(own.map(payloadOf).map(({ object }) => object))
    for (const id of [world.crates.ids.full, ...Object.values(world.parcels.ids), world.whispers.id]) {
      if (id === world.parcels.ids.deleted) continue
      const { status } = await api.get(`/artifacts/${id}`, { as: person })
      expect([person.login, id, objects.has(`artifacts/${id}`)]).toEqual([person.login, id, status === 200])
    }
  }
})

test('Z34 a hook whose viewer loses access sends nothing more, not even planned deliveries', async () => {
  await allowLoopback(api)
  const { id } = await hook(TOM.id, `projects/${ORCHARD}`, ADA)
  await report()
  await drainWorker(context)
  expect(await receiver.received()).toHaveLength(1)
  await report(MARA)
  await api.patch(`/users/${TOM.id}`, { as: ADA, body: { status: 'S' } })
  await drainWorker(context)
  expect(await receiver.received()).toHaveLength(1)
  await report(MARA)
  await drainWorker(context)
  expect(await receiver.received()).toHaveLength(1)
  expect((await api.get(`/webhooks/${id}/deliveries`, { as: ADA })).json).toHaveLength(1)
})

const stateOf = async (id: number) => {
  const { json } = await api.get(`/webhooks/${id}`, { as: ADA })
  return [json.active, json.state, json.state_reason, json.owner.username]
}
const logOf = async (id: number, as = ADA) => (await api.get(`/webhooks/${id}/deliveries`, { as })).json
const lastOf = async (id: number, as: TestPerson) => {
  const [last] = await logOf(id, as)
  return (await api.get(`/webhooks/${id}/deliveries/${last.id}`, { as })).json
}

const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })

/** A bill of Orchard with a child, a link and a reference in Vault, where Mara sees nothing. */
async function billWithLinksToVault() {
  const makeTracker = async (project: number, as: TestPerson, definition: object) =>
    (await api.post(`/projects/${project}/trackers`, { as, body: definition })).json.id
  const elements = [
    field('summary', 'string'),
    field('effort', 'int'),
    field('total', 'computed', { properties: { target_field_name: 'effort' } }),
    field('links', 'art_link'),
    field('references', 'cross'),
  ]
  const semantics = { title: 'summary' }
  const bills = await makeTracker(ORCHARD, MARA, { label: 'Bills', item_name: 'bill', elements, semantics })
  const secret = { label: 'Hoard of gold', item_name: 'hoard', elements, semantics }
  const hoards = await makeTracker(VAULT, VICTOR, secret)
  const create = async (tracker: number, values_by_field: object) =>
    (await api.post('/artifacts', { as: ADA, body: { tracker: { id: tracker }, values_by_field } })).json.id
  const child = await create(hoards, { summary: 'Child', effort: 987_654 })
  const bill = await create(bills, { summary: 'Bill', links: { links: [{ id: child, type: '_is_child' }] } })
  await create(hoards, { summary: `see art #${bill}`, links: { links: [{ id: bill, type: '' }] } })
  return { bills, bill, child }
}

test('H01 a hook without as_user sends no link, reference or sum that its owner may not read', async () => {
  await allowLoopback(api)
  const { bills, bill, child } = await billWithLinksToVault()
  const ids: number[] = []
  for (const payload of ['original', 'event'])
    ids.push((await hook(undefined, `trackers/${bills}`, MARA, { as_user: null, payload })).id)
  const put = { values_by_field: { summary: `Dear, see art #${child}` } }
  expect(await api.put(`/artifacts/${bill}`, { as: ADA, body: put })).toMatchObject({ status: 200 })
  await drainWorker(context)
  const sent = (await receiver.received()).map(payloadOf)
  expect(sent).toHaveLength(2)
  const logged = await Promise.all(ids.map(async (id) => (await lastOf(id, MARA)).request.body))
  for (const text of [...sent.map((body) => JSON.stringify(body)), ...logged.map(decodeURIComponent)]) {
    expect(text).toContain('Dear, see')
    expect(text).not.toContain('987654')
    expect(text).not.toContain('Hoard of gold')
    expect(text).not.toContain(`artifacts/${child}`)
  }
})

test('H02 a new address needs the right to use the viewer, also when the stored as_user is repeated', async () => {
  await allowLoopback(api)
  const { id } = await hook(ADA.id, `trackers/${BUGS}`, ADA)
  const change = (body: object, as = MARA) => api.patch(`/webhooks/${id}`, { as, body })
  const url = receiver.url('/mine')
  expect(await change({ url })).toMatchObject({ status: 403 })
  expect(await change({ url, as_user: ADA.id })).toMatchObject({ status: 403 })
  expect(await change({ as_user: ADA.id })).toMatchObject({ status: 403 })
  expect(await change({ ordered: true })).toMatchObject({ status: 200, json: { owner: { username: 'ada' } } })
  expect(await change({ url, as_user: MARA.id })).toMatchObject({ status: 200, json: { owner: { username: 'mara' } } })
  expect(await change({ url: receiver.url() }, UMA)).toMatchObject({ status: 403 })
  const own = { url: receiver.url(), as_user: null }
  expect(await change(own, UMA)).toMatchObject({ status: 200, json: { owner: { username: 'uma' }, as_user: null } })
})

test('H03 only an account that may use the viewer of a hook renews its secret, and becomes its owner', async () => {
  await allowLoopback(api)
  const { id } = await hook(MARA.id, `trackers/${BUGS}`, ADA)
  expect(await api.put(`/webhooks/${id}/secret`, { as: UMA })).toMatchObject({ status: 403 })
  expect(await stateOf(id)).toEqual([true, 'ok', null, 'ada'])
  expect(await api.put(`/webhooks/${id}/secret`, { as: MARA })).toMatchObject({ status: 200 })
  expect(await stateOf(id)).toEqual([true, 'ok', null, 'mara'])
})

test('H04 a hook whose owner no longer administers the tracker is paused and delivers nothing', async () => {
  await allowLoopback(api)
  const { id } = await hook(undefined, `trackers/${BUGS}`, UMA)
  await report()
  await drainWorker(context)
  expect(await receiver.received()).toHaveLength(1)
  const [delivered] = await logOf(id)
  await api.put(`/user_groups/${LEADS}/users`, { as: MARA, body: { user_references: [] } })
  await report()
  await drainWorker(context)
  expect(await receiver.received()).toHaveLength(1)
  expect(await stateOf(id)).toEqual([false, 'paused', 'owner_lost_rights', 'uma'])
  const { json: audit } = await api.get(`/audit?object=webhooks/${id}`, { as: ADA })
  expect(JSON.stringify(audit)).toContain('webhook.paused')

  await api.post(`/webhooks/${id}/deliveries/${delivered.id}/redeliver`, { as: MARA })
  await drainWorker(context)
  expect(await receiver.received()).toHaveLength(1)
  const on = { active: true }
  const refused = await api.patch(`/webhooks/${id}`, { as: MARA, body: on })
  expect([refused.status, refused.json.error.details.cause]).toEqual([400, 'owner_lost_rights'])
  expect(await api.patch(`/webhooks/${id}`, { as: MARA, body: { ...on, as_user: null } })).toMatchObject({
    status: 200,
  })
  expect(await stateOf(id)).toEqual([true, 'ok', null, 'mara'])
  await drainWorker(context)
  expect(await receiver.received()).toHaveLength(3) // The redelivery, and the events in between.
})

test('H05 a hook whose owner cannot sign in is paused, even if the delivery is planned already', async () => {
  await allowLoopback(api)
  const { id } = await hook(undefined, `trackers/${BUGS}`, MARA)
  await receiver.answerWith(503)
  await report()
  await drainWorker(context)
  expect(await receiver.received()).toHaveLength(1)
  await api.patch(`/users/${MARA.id}`, { as: ADA, body: { status: 'S' } })
  await context.db.updateTable('webhook_delivery').set({ due_on: context.clock.now() }).execute()
  await drainWorker(context)
  expect(await receiver.received()).toHaveLength(1)
  expect(await stateOf(id)).toEqual([false, 'paused', 'owner_lost_rights', 'mara'])
  expect(await logOf(id)).toMatchObject([{ state: 'retrying', attempts: 1 }])
  const replayed = await api.post(`/webhooks/${id}/replay`, { as: ADA, body: { after: (await logOf(id))[0].event_id } })
  expect([replayed.status, replayed.json.error.details.cause]).toEqual([400, 'owner_lost_rights'])
})

test('H06 a hook reads for another account only while its owner is a site administrator', async () => {
  await allowLoopback(api)
  const { id } = await hook(TOM.id, `trackers/${BUGS}`, ADA)
  await api.patch(`/webhooks/${id}`, { as: ADA, body: { ordered: true } })
  await context.db.updateTable('account').set({ is_site_admin: false }).where('id', '=', ADA.id).execute()
  await context.db
    .insertInto('project_member')
    .values({ project_id: ORCHARD, account_id: ADA.id, is_admin: true, added_on: context.clock.now() })
    .execute()
  await report()
  await drainWorker(context)
  expect(await receiver.received()).toEqual([])
  expect((await api.get(`/webhooks/${id}`, { as: MARA })).json).toMatchObject({ state_reason: 'owner_lost_rights' })
})

test('H07 the log shows of a body what its reader may read now', async () => {
  await allowLoopback(api)
  const { id } = await hook(undefined, `trackers/${BUGS}`, UMA)
  const body = { tracker: { id: BUGS }, values_by_field: { summary: 'It leaks', budget: 4711 } }
  expect(await api.post('/artifacts', { as: MARA, body })).toMatchObject({ status: 201 })
  await drainWorker(context)
  const [sent] = await receiver.received()
  expect(decodeURIComponent(sent?.body ?? '')).toContain('4711') // All fields of its tracker.
  const byUma = await lastOf(id, UMA)
  expect(decodeURIComponent(byUma.request.body)).not.toContain('4711')
  expect(decodeURIComponent(byUma.request.body)).toContain('It leaks')
  expect(byUma).toMatchObject({ body_withheld: false, body_cut: true, answer: { body: null } })
  expect(decodeURIComponent((await lastOf(id, MARA)).request.body)).toContain('4711')
  expect(await lastOf(id, ADA)).toMatchObject({ request: { body: sent?.body }, body_withheld: false, body_cut: false })
})

/** Moves a bill of Orchard to Vault, where Mara sees nothing. */
async function moveToVault(bill: number): Promise<void> {
  const { json: trackers } = await api.get(`/projects/${VAULT}/trackers`, { as: ADA })
  const hoard = trackers.find(({ label }: { label: string }) => label === 'Hoard of gold')
  const body = { move: { tracker_id: hoard.id } }
  expect(await api.patch(`/artifacts/${bill}`, { as: ADA, body })).toMatchObject({ status: 200 })
  await drainWorker(context)
}

test('H08 a hook without as_user sends nothing of an artifact that was moved where its owner has no access', async () => {
  await allowLoopback(api)
  const { bills, bill } = await billWithLinksToVault()
  await hook(undefined, `trackers/${bills}`, MARA, { as_user: null, events: ['artifact.moved'] })
  await moveToVault(bill)
  expect(await receiver.received()).toEqual([])
})

test('the log withholds the body of an event that its reader may not read', async () => {
  await allowLoopback(api)
  const { bills, bill } = await billWithLinksToVault()
  const { id } = await hook(ADA.id, `trackers/${bills}`, ADA, { events: ['artifact.moved'] })
  await moveToVault(bill)
  expect(await receiver.received()).toHaveLength(1)
  expect(await lastOf(id, MARA)).toMatchObject({ request: { body: null }, answer: { body: null }, body_withheld: true })
  expect(await lastOf(id, ADA)).toMatchObject({ request: { body: expect.any(String) }, body_withheld: false })
})

test('an account that no longer administers the tracker neither sees nor changes its hooks', async () => {
  await allowLoopback(api)
  const { id } = await hook(undefined, `trackers/${BUGS}`, UMA)
  expect(await api.get(`/webhooks/${id}`, { as: UMA })).toMatchObject({ status: 200 })
  await api.put(`/user_groups/${LEADS}/users`, { as: MARA, body: { user_references: [] } })
  expect(await api.get(`/webhooks/${id}`, { as: UMA })).toMatchObject({ status: 403 })
  expect(await api.delete(`/webhooks/${id}`, { as: UMA })).toMatchObject({ status: 403 })
})

test('H10 a hook without as_user also gets changes of fields that its owner may not read', async () => {
  await allowLoopback(api)
  const forLeads = { read: ['leads'], submit: ['leads'], update: ['leads'] }
  const elements = [field('summary', 'string'), field('amount', 'int', { permissions: forLeads })]
  const definition = { label: 'Wages', item_name: 'wage', elements, semantics: { title: 'summary' } }
  const { json: wages } = await api.post(`/projects/${ORCHARD}/trackers`, { as: MARA, body: definition })
  const body = { tracker: { id: wages.id }, values_by_field: { summary: 'Tom', amount: 7 } }
  const { json: wage } = await api.post('/artifacts', { as: ADA, body })
  await hook(undefined, `trackers/${wages.id}`, MARA, { as_user: null })
  const put = { values_by_field: { amount: 31_337 } }
  expect((await api.put(`/artifacts/${wage.id}`, { as: ADA, body: put })).status).toBe(200)
  await drainWorker(context)
  const [sent] = (await receiver.received()).map(payloadOf)
  expect(JSON.stringify(sent)).toContain('31337')
})
