import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { insertTestWebhook } from '../../../test/fixtures/insert-webhook.ts'
import { ADA, MARA, UMA } from '../../../test/fixtures/people.ts'
import { refused } from '../../../test/harness/refused.ts'
import { BUGS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'

const { api, context } = await startWorld()
const { db } = context
beforeEach(() => {
  Object.defineProperty(context, 'addressesOf', { configurable: true, value: async () => ['93.184.216.34'] })
})

const url = 'https://hooks.example.org/in'
const ofProject = `/projects/${ORCHARD}/webhooks`

describe('a hook of a project', () => {
  test.each(['http://127.0.0.1/', 'http://localhost/', 'file:///etc/passwd'])('is not made for %s', async (target) => {
    Object.defineProperty(context, 'addressesOf', { configurable: true, value: async () => ['127.0.0.1'] })
    expect(await api.post(ofProject, { as: MARA, body: { url: target } })).toMatchObject(
      refused(400, 'parameter_not_allowed'),
    )
    expect((await api.get(ofProject, { as: MARA })).json).toEqual([])
  })

  test('is made and audited once', async () => {
    const { json } = await api.post(ofProject, { as: MARA, body: { url } })
    expect(await audited(context, 'webhook.create')).toMatchObject([
      { object: `webhooks/${json.id}`, after: { tracker_id: null, as_user: MARA.id } },
    ])
  })
})

describe('the definition of a tracker', () => {
  const path = `/trackers/${BUGS}/definition`
  const put = async (webhooks: object[]) => {
    const { json: definition } = await api.get(path, { as: MARA })
    return api.put(path, { as: MARA, body: { ...definition, webhooks } })
  }

  test('may have twenty hooks', async () => {
    const many = Array.from({ length: 20 }, (_, number) => ({ url: `${url}/${number}` }))
    expect(await put(many)).toMatchObject({ status: 200 })
    expect(await put([...many, { url }])).toMatchObject(refused(400, 'rule_violated'))
  })

  test.each([
    'file:///etc/passwd',
    'http://localhost/',
    'http://a.localhost/',
    'http://[::1]/',
    'http://hooks.example.org:25/',
    'https://u@example.org/',
  ])('has no hook for %s', async (target) => {
    expect(await put([{ url: target }])).toMatchObject({ status: 400 })
  })

  test('may name a host that would not resolve, and an address that the platform allows', async () => {
    await api.patch('/settings', { as: ADA, body: { webhook_private_targets: ['127.0.0.0/8'] } })
    expect(await put([{ url: 'http://localhost/' }, { url: 'http://127.0.0.1/' }, { url }])).toMatchObject({
      status: 200,
    })
  })
})

test('a hook shows its owner and creator, and none for those who are not known', async () => {
  const id = await insertTestWebhook(db)
  const owners = async () => {
    const { json } = await api.get(`/webhooks/${id}`, { as: UMA })
    return [json.owner, json.created_by]
  }
  expect(await owners()).toEqual([
    { id: MARA.id, username: 'mara' },
    { id: MARA.id, username: 'mara' },
  ])
  await sql`update webhook set owner_id = null, created_by = null`.execute(db)
  expect(await owners()).toEqual([null, null])
})
