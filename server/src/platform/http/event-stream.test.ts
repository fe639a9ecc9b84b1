import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { openStream } from '../../../test/harness/event-stream.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { refused } from '../../../test/harness/refused.ts'
import { ApiError } from '../messages/errors.ts'
import { type EventStream, toStreamLimits } from './event-stream.ts'
import { readRoute } from './route.ts'

const followers = new Set<EventStream>()
const sample = readRoute({
  method: 'GET',
  path: '/samples',
  operationId: 'listSamples',
  summary: 'Samples',
  access: 'everyone',
  query: { fails: Type.Optional(Type.Boolean()) },
  answer: Type.Object({ sample: Type.String() }),
  handle: async () => ({ body: { sample: 'one' } }),
  formats: {
    stream: {
      limits: toStreamLimits({ maxDurationMs: 400, maxPerAddress: 2 }),
      async open({ query: { fails } }) {
        if (fails) throw new ApiError('not_found')
        return (stream) => {
          followers.add(stream)
          stream.send([{ id: '1', event: 'sample', data: { text: 'two\nlines' } }, { event: 'nothing' }])
          return () => followers.delete(stream)
        }
      },
    },
  },
})
const { api } = await startWorld({ routes: [sample], seedOnce: true })
const headers = { accept: 'text/event-stream' }

test('a route streams to clients that request it by name, and responds normally to all others', async () => {
  const stream = await openStream(api, '/samples')
  await stream.until(({ length }) => length >= 2)
  expect(stream.text()).toBe(
    'retry: 2000\n\nid: 1\nevent: sample\ndata: {"text":"two\\nlines"}\n\nevent: nothing\ndata:\n\n',
  )
  stream.close()
  for (const accept of ['*/*', 'text/event-stream;q=0.5, application/json', 'application/json'])
    expect((await api.get('/samples', { headers: { accept } })).json).toEqual({ sample: 'one' })
  await allGone()
})

test('a stream ends after its maximum duration, and tells the client to reconnect', async () => {
  const stream = await openStream(api, '/samples')
  const frames = await stream.until(() => stream.isOver())
  expect(frames.at(-1)).toMatchObject({ event: 'end', data: { reason: 'unavailable' } })
  await allGone()
})

test('a refused stream takes no permit, and a closed one releases it', async () => {
  for (let turn = 0; turn < 5; turn++)
    expect((await api.get('/samples?fails=true', { headers })).json.error.reason).toBe('not_found')
  const streams = [await openStream(api, '/samples'), await openStream(api, '/samples')]
  expect(await api.get('/samples', { headers })).toMatchObject(refused(429, 'rate_limited'))
  for (const stream of streams) stream.close()
  await allGone()
  const stream = await openStream(api, '/samples')
  expect(stream.status).toBe(200)
  stream.close()
  await allGone()
})

async function allGone(): Promise<void> {
  for (let waited = 0; followers.size > 0 && waited < 2000; waited += 10) await pause(10)
  expect(followers.size).toBe(0)
}
