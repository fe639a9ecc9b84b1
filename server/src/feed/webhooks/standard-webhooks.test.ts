import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { beforeEach, expect, test } from 'vitest'
import { createBugWebhooks } from '../../../test/fixtures/bug-webhooks.ts'
import { MARA } from '../../../test/fixtures/people.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { allowLoopback, startReceiver } from '../../../test/peers/webhook-receiver.ts'

const { api, context, clock } = await startWorld()
const receiver = await startReceiver()
const { hook, report, deliveriesOf } = createBugWebhooks(api, receiver)
beforeEach(async () => {
  clock.set(new Date()) // The library of Standard Webhooks compares the timestamp with the time of the machine.
  await allowLoopback(api)
})

async function receivedOne() {
  const [request] = await receiver.received()
  if (!request) throw new Error('Nothing came.')
  return request
}

test('a library of Standard Webhooks verifies a delivery with the secret as shown', async () => {
  const { secret } = await hook({ format: 'json' })
  const id = await report('It leaks')
  await drainWorker(context)
  const { headers, body } = await receivedOne()

  expect(new Webhook(secret).verify(body, headers)).toMatchObject({ id, action: 'create' })
  expect(() => new Webhook(secret).verify(body.replace('create', 'delete'), headers)).toThrow(WebhookVerificationError)
  expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'another' })).toThrow(
    WebhookVerificationError,
  )
  const later = String(Number(headers['webhook-timestamp']) + 1)
  expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-timestamp': later })).toThrow(
    WebhookVerificationError,
  )
})

test('a form is signed as it is sent', async () => {
  const { secret } = await hook()
  await report('It leaks')
  await drainWorker(context)
  const { headers, body } = await receivedOne()

  expect(body.startsWith('payload=')).toBe(true)
  expect(new Webhook(secret).verify(body, headers, { jsonParse: false })).toBeUndefined()
})

test('a secret of another form is the key itself', async () => {
  const secret = 'a secret with ümlauts, given by people'
  await hook({ format: 'json', secret })
  await report('It leaks')
  await drainWorker(context)
  const { headers, body } = await receivedOne()

  expect(new Webhook(Buffer.from(secret), { format: 'raw' }).verify(body, headers)).toBeDefined()
  expect(new Webhook(`whsec_${Buffer.from(secret).toString('base64')}`).verify(body, headers)).toBeDefined()
})

test('while the secret is being changed, both verify', async () => {
  const { id, secret } = await hook({ format: 'json' })
  const { json } = await api.put(`/webhooks/${id}/secret`, { as: MARA, body: {} })
  await report('It leaks')
  await drainWorker(context)
  const { headers, body } = await receivedOne()

  expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
  for (const key of [secret, json.secret]) expect(new Webhook(key).verify(body, headers)).toBeDefined()
})

test('the id is the same on every repetition, differs between hooks, and has no dot', async () => {
  const one = await hook({ format: 'json' })
  await hook({ format: 'json' })
  await report('It leaks')
  await drainWorker(context)
  const [delivery] = await deliveriesOf(one.id)
  await api.post(`/webhooks/${one.id}/deliveries/${delivery.id}/redeliver`, { as: MARA })
  await drainWorker(context)
  const ids = (await receiver.received()).map(({ headers }) => headers['webhook-id'] ?? '')

  expect(ids).toHaveLength(3)
  expect(new Set(ids).size).toBe(2)
  expect(ids.filter((id) => id.startsWith(`${one.id}-`))).toHaveLength(2)
  expect(ids.join('')).not.toContain('.')
})
