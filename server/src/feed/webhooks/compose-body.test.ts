import { beforeEach, expect, test } from 'vitest'
import { createBugWebhooks } from '../../../test/fixtures/bug-webhooks.ts'
import { ADA, MARA, OLGA, TOM } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { allowLoopback, payloadOf, startReceiver } from '../../../test/peers/webhook-receiver.ts'

const { api, context } = await startWorld()
const receiver = await startReceiver()
beforeEach(() => allowLoopback(api))
const { hook: createHook, report } = createBugWebhooks(api, receiver)

test('an event that is not about an artifact has no state before or after it', async () => {
  await createHook({ events: ['member.added'] }, `projects/${ORCHARD}`)
  const members = `/user_groups/${ORCHARD}_3/users`
  const { json } = await api.get(members, { as: MARA })
  const logins = [...json.map(({ username }: { username: string }) => username), OLGA.login]
  const body = { user_references: logins.map((username) => ({ username })) }
  expect(await api.put(members, { as: MARA, body })).toMatchObject({ status: 200 })
  await drainWorker(context)
  expect((await receiver.received()).map(payloadOf)).toMatchObject([
    { type: 'member.added', current: null, previous: null },
  ])
})

test('a submitter who can no longer sign in has no groups', async () => {
  await createHook()
  const id = await report()
  await api.patch(`/users/${TOM.id}`, { as: ADA, body: { status: 'S' } })
  await drainWorker(context)
  expect((await receiver.received()).map(payloadOf)).toMatchObject([{ id, submitter_user_groups: [] }])
})
