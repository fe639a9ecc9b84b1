import { expect, test } from 'vitest'
import { foreignCanaries } from '../../../test/canaries.ts'
import { startWorld } from '../../../test/harness.ts'
import { ADA, GUS, MARA, OLGA, type Person, RITA, TOM, UMA } from '../../../test/people.ts'
import { BUGS, LEADS, ORCHARD } from '../../../test/places.ts'
import { workOff } from '../../../test/run-jobs.ts'
import { makeSightWorld } from '../../../test/sight-world.ts'
import { allowLoopback, payloadOf, startReceiver } from '../../../test/webhook-receiver.ts'

const { api, context } = await startWorld()
const receiver = await startReceiver()
const PEOPLE: readonly Person[] = [RITA, OLGA, GUS, TOM, MARA]

async function hook(as_user: number | undefined, of: string, as: Person, body: object = {}) {
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

test('each hook tells what its eyes may read, and nothing else', async () => {
  await allowLoopback(api)
  for (const person of PEOPLE) await hook(person.id, `projects/${ORCHARD}`, ADA)
  const world = await makeSightWorld(api)
  await workOff(context)
  const requests = await receiver.received()
  for (const person of PEOPLE) {
    const own = requests.filter(({ path }) => path === `/${person.id}`)
    const told = own.map((each) => JSON.stringify(payloadOf(each))).join('\n')
    expect([person.login, foreignCanaries(told, person)]).toEqual([person.login, []])
    const objects = new Set(own.map(payloadOf).map(({ object }) => object))
    for (const id of [world.crates.ids.full, ...Object.values(world.parcels.ids), world.whispers.id]) {
      if (id === world.parcels.ids.deleted) continue
      const { status } = await api.get(`/artifacts/${id}`, { as: person })
      expect([person.login, id, objects.has(`artifacts/${id}`)]).toEqual([person.login, id, status === 200])
    }
  }
}, 120_000)

test('Z34 who loses the sight is told nothing more, be it planned already', async () => {
  await allowLoopback(api)
  const { id } = await hook(TOM.id, `projects/${ORCHARD}`, ADA)
  await report()
  await workOff(context)
  expect(await receiver.received()).toHaveLength(1)
  await report(MARA)
  await api.patch(`/users/${TOM.id}`, { as: ADA, body: { status: 'S' } })
  await workOff(context)
  expect(await receiver.received()).toHaveLength(1)
  await report(MARA)
  await workOff(context)
  expect(await receiver.received()).toHaveLength(1)
  expect((await api.get(`/webhooks/${id}/deliveries`, { as: ADA })).json).toHaveLength(1)
})

test('a delivery that was planned is not sent when a right was withdrawn before it is tried again', async () => {
  await allowLoopback(api)
  const { id } = await hook(undefined, `projects/${ORCHARD}`, MARA, { as_user: MARA.id, active: true })
  await receiver.answerWith(503)
  await report()
  await workOff(context)
  expect(await receiver.received()).toHaveLength(1)
  await context.db.updateTable('account').set({ status: 'S' }).where('id', '=', MARA.id).execute()
  await context.db.updateTable('webhook_delivery').set({ due_on: context.clock.now() }).execute()
  await workOff(context)
  expect(await receiver.received()).toHaveLength(1)
  expect((await api.get(`/webhooks/${id}/deliveries`, { as: ADA })).json).toEqual([])
})

test('nobody lends the eyes of another, nor takes what they see elsewhere', async () => {
  await allowLoopback(api)
  const body = { url: receiver.url(), as_user: ADA.id }
  expect(await api.post(`/trackers/${BUGS}/webhooks`, { as: MARA, body })).toMatchObject({ status: 403 })
  const { id } = await hook(ADA.id, `trackers/${BUGS}`, ADA)
  expect(await api.patch(`/webhooks/${id}`, { as: MARA, body: { url: receiver.url('/mine') } })).toMatchObject({
    status: 403,
  })
  await report()
  await workOff(context)
  const { json } = await api.get(`/webhooks/${id}/deliveries`, { as: MARA })
  const seen = await api.get(`/webhooks/${id}/deliveries/${json[0].id}`, { as: MARA })
  expect(seen.json).toMatchObject({ state: 'delivered', request: { body: null }, answer: { status: 200, body: null } })
  const own = { url: receiver.url('/mine'), as_user: MARA.id }
  expect(await api.patch(`/webhooks/${id}`, { as: MARA, body: own })).toMatchObject({ status: 200 })
})

test('whoever does not administer the tracker any more neither sees nor changes its hooks', async () => {
  await allowLoopback(api)
  const { id } = await hook(undefined, `trackers/${BUGS}`, UMA)
  expect(await api.get(`/webhooks/${id}`, { as: UMA })).toMatchObject({ status: 200 })
  await api.put(`/user_groups/${LEADS}/users`, { as: MARA, body: { user_references: [] } })
  expect(await api.get(`/webhooks/${id}`, { as: UMA })).toMatchObject({ status: 403 })
  expect(await api.delete(`/webhooks/${id}`, { as: UMA })).toMatchObject({ status: 403 })
})
