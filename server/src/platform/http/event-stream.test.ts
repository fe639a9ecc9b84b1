import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { openStream } from '../../../test/event-stream.ts'
import { startWorld } from '../../../test/harness.ts'
import { refused } from '../../../test/refused.ts'
import { ApiError } from '../words/errors.ts'
import { type EventStream, withLimits } from './event-stream.ts'
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
  stream: {
    limits: withLimits({ longest: 400, ofAddress: 2 }),
    async open({ query: { fails } }) {
      if (fails) throw new ApiError('not_found')
      return (stream) => {
        followers.add(stream)
        stream.send([{ id: '1', event: 'sample', data: { text: 'two\nlines' } }, { event: 'nothing' }])
        return () => followers.delete(stream)
      }
    },
  },
})
const { api } = await startWorld({ routes: [sample], seedOnce: true })
const headers = { accept: 'text/event-stream' }

test('a route streams to those who ask for it by name, and answers all others', async () => {
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

test('a stream ends after its time, and says that one may come back', async () => {
  const stream = await openStream(api, '/samples')
  const frames = await stream.until(() => stream.isOver())
  expect(frames.at(-1)).toMatchObject({ event: 'end', data: { reason: 'unavailable' } })
  await allGone()
})

test('whoever is refused takes no place, and whoever leaves gives it back', async () => {
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
