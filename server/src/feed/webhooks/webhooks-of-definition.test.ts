import { beforeEach, describe, expect, test } from 'vitest'
import { createBugWebhooks } from '../../../test/fixtures/bug-webhooks.ts'
import { MARA } from '../../../test/fixtures/people.ts'
import { BUGS } from '../../../test/fixtures/seed-ids.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { allowLoopback, startReceiver } from '../../../test/peers/webhook-receiver.ts'

const { api, context } = await startWorld()
const receiver = await startReceiver()
beforeEach(() => allowLoopback(api))
const { hook, report } = createBugWebhooks(api, receiver)

describe('the definition of a tracker', () => {
  const path = `/trackers/${BUGS}/definition`
  const hooksIn = async () => (await api.get(path, { as: MARA })).json.webhooks

  test('lists its hooks, and no secret', async () => {
    const json = await hook({ events: ['comment.added'], format: 'json' })
    const { json: definition, text } = await api.get(path, { as: MARA })
    expect(definition.webhooks).toEqual([{ url: json.url, events: ['comment.added'], format: 'json' }])
    expect(text).not.toContain(json.secret)
    await api.patch(`/webhooks/${json.id}`, { as: MARA, body: { format: 'form' } })
    expect(await hooksIn()).toMatchObject([{ format: 'form' }])
    await api.delete(`/webhooks/${json.id}`, { as: MARA })
    expect(await hooksIn()).toEqual([])
  })

  test('creates, changes and removes hooks; kept hooks keep their secret and cursor', async () => {
    const first = await hook()
    await hook({ url: receiver.url('/second') })
    const { json: definition } = await api.get(path, { as: MARA })
    const webhooks = [
      { url: first.url, events: ['artifact.deleted'] },
      { url: receiver.url('/new'), format: 'json' },
    ]
    const put = await api.put(path, { as: MARA, body: { ...definition, webhooks } })
    expect([put.status, put.text.includes('secret')]).toEqual([200, false])
    const { json } = await api.get(`/trackers/${BUGS}/webhooks`, { as: MARA })
    expect(json).toMatchObject([
      { id: first.id, events: ['artifact.deleted'], format: 'form', place: first.place },
      { url: receiver.url('/new'), events: ['artifact.created', 'artifact.updated'], format: 'json', active: true },
    ])
    await report()
    await drainWorker(context)
    const [request] = await receiver.received()
    expect(request).toMatchObject({ path: '/new' })
    expect(request?.headers['x-waypost-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
  })

  test('changes the hooks that it lists differently, and leaves the others alone', async () => {
    const given = { events: ['comment.added', 'artifact.deleted'], format: 'json', ordered: true }
    const [other, made] = [await hook(given), await hook({ ...given, url: receiver.url('/second') })]
    const read = (id: number) => api.get(`/webhooks/${id}`, { as: MARA })
    const { json: definition } = await api.get(path, { as: MARA })
    const [first, second] = definition.webhooks
    const before = await read(other.id)
    for (const change of [{ format: 'form' }, { events: ['comment.added'] }]) {
      const etag = (await read(made.id)).headers['etag']
      const webhooks = [first, { ...second, ...change }]
      expect(await api.put(path, { as: MARA, body: { ...definition, webhooks } })).toMatchObject({ status: 200 })
      const changed = await read(made.id)
      expect(changed.json).toMatchObject({ ...change, ordered: true })
      expect(changed.headers['etag']).not.toBe(etag)
      const after = await read(other.id)
      expect([after.json, after.headers['etag']]).toEqual([before.json, before.headers['etag']])
    }
  })

  test('refuses the hooks that the route refuses', async () => {
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
