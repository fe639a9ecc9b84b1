import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createBugWebhooks } from '../../../test/fixtures/bug-webhooks.ts'
import { MARA } from '../../../test/fixtures/people.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { allowLoopback, payloadOf, startReceiver } from '../../../test/peers/webhook-receiver.ts'
import { EVENT_TYPES } from '../event-types.ts'
import { EventPayload, OriginalPayload, PingPayload, type SENT_EVENTS } from './sent-events.ts'

const { api, context } = await startWorld()
const receiver = await startReceiver()
const { hook, report } = createBugWebhooks(api, receiver)
beforeEach(() => allowLoopback(api))

function mismatches(schema: TSchema, value: unknown): unknown[] {
  return [...Compile(schema).Errors(value)].map(({ instancePath, message }) => `${instancePath} ${message}`)
}

async function deliveredBodies() {
  await drainWorker(context)
  return (await receiver.received()).map(payloadOf)
}

test.each([
  { payload: 'original', schema: OriginalPayload },
  { payload: 'event', schema: EventPayload },
])('deliveries with the payload $payload match the described schema', async ({ payload, schema }) => {
  await hook({ payload, format: 'json', events: ['artifact.*'] })
  const id = await report('It leaks')
  const comment = { body: 'Seen again', format: 'text' }
  const body = { values_by_field: { summary: { value: 'It leaks a lot' } }, comment }
  expect((await api.put(`/artifacts/${id}`, { as: MARA, body })).status).toBe(200)
  const bodies = await deliveredBodies()

  expect(bodies).toHaveLength(2)
  expect(bodies.flatMap((each) => mismatches(schema, each))).toEqual([])
})

test('a deletion and a ping match their schemas', async () => {
  const { id: hookId } = await hook({ payload: 'event', format: 'json', events: ['artifact.deleted'] })
  const id = await report('It leaks')
  expect((await api.delete(`/artifacts/${id}`, { as: MARA })).status).toBe(200)
  await api.post(`/webhooks/${hookId}/test`, { as: MARA })
  const bodies = await deliveredBodies()

  expect(new Set(bodies.map(({ type }) => type))).toEqual(new Set(['artifact.deleted', 'ping']))
  for (const body of bodies)
    expect(mismatches(body.type === 'ping' ? PingPayload : EventPayload, body), body.type).toEqual([])
})

describe('the description', () => {
  /** The list is made when its module is loaded. It is loaded anew, so that `npm run mutants` reaches its code. */
  async function loadSentEvents(): Promise<typeof SENT_EVENTS> {
    vi.resetModules()
    return (await import('./sent-events.ts')).SENT_EVENTS
  }

  test('has an example of each event that matches its schema', async () => {
    const described = await loadSentEvents()
    expect(described.map(({ name }) => name)).toEqual([...EVENT_TYPES, 'ping'])
    expect(described.flatMap(({ body, example }) => mismatches(body, example))).toEqual([])
  })

  test('names the original format for new and changed artifacts only', async () => {
    const described = await loadSentEvents()
    const names = ['artifact.created', 'artifact.updated']
    expect(described.filter(({ body }) => 'anyOf' in body).map(({ name }) => name)).toEqual(names)
    expect(
      described.filter(({ description }) => description.includes('payload: original')).map(({ name }) => name),
    ).toEqual(names)
  })

  test('has examples with the members that such an event has', async () => {
    const described = await loadSentEvents()
    const examples = new Map(described.map(({ name, example }) => [name, example]))
    const ofArtifact = { object: 'artifacts/2041', tracker: { id: 12 }, version: 7, silent: false }
    const plain = { changed: [], has_comment: false }
    expect(examples.get('artifact.created')).toMatchObject({ ...ofArtifact, ...plain })
    expect(examples.get('artifact.updated')).toMatchObject({ ...ofArtifact, changed: ['status'], has_comment: false })
    expect(examples.get('comment.added')).toMatchObject({ ...ofArtifact, changed: [], has_comment: true })
    const ofProject = { tracker: null, version: null, silent: false, ...plain }
    expect(examples.get('tracker.changed')).toMatchObject({ ...ofProject, object: 'trackers/12', tracker: { id: 12 } })
    expect(examples.get('project.changed')).toMatchObject({ ...ofProject, object: 'projects/101' })
    expect(examples.get('svn.commit')).toMatchObject({ ...ofProject, object: 'svn/3', revision: 318 })
    expect(examples.get('rights.changed')).toMatchObject({ ...ofProject, object: null })
    const namesWith = (member: string) =>
      described.filter(({ example }) => Object.hasOwn(example, member)).map(({ name }) => name)
    expect(namesWith('transition')).toEqual(['artifact.updated'])
    expect(namesWith('member')).toEqual(['member.added', 'member.removed'])
    expect(namesWith('revision')).toEqual(['svn.commit'])
  })
})
