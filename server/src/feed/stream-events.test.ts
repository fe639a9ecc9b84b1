import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { basic } from '../../test/harness/client.ts'
import {
  openStream,
  currentFeedCursor,
  type ReceivedFrame,
  type ReceivedStream,
  WITHIN_A_SECOND_MS,
} from '../../test/harness/event-stream.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { signInWithCookie } from '../../test/harness/browser-requests.ts'
import { ADA, MARA, OLGA, TOM, UMA, VICTOR } from '../../test/fixtures/people.ts'
import { BUGS, ORCHARD } from '../../test/fixtures/seed-ids.ts'
import { withStreamLimits } from '../../test/harness/stream-limits.ts'
import { beginFeedEpoch } from '../platform/database/feed-epoch.ts'
import { poolState } from '../platform/database/db.ts'
import { toStreamLimits } from '../platform/http/event-stream.ts'
import { drain } from '../platform/operation/shutdown.ts'
import { ROUTES } from '../routes.ts'

/** The usual limits with shorter times. */
const limits = toStreamLimits({
  heartbeatMs: 200,
  cursorIntervalMs: 400,
  stallTimeoutMs: 500,
  maxDurationMs: 60_000,
})
const { api, context, startAnother } = await startWorld({
  routes: withStreamLimits(ROUTES, limits),
})

const opened: ReceivedStream[] = []
afterEach(async () => {
  for (const stream of opened.splice(0)) stream.close()
  await gone()
})
const open = async (path = '/events', options: Parameters<typeof openStream>[2] = {}) => {
  const stream = await openStream(api, path, options)
  opened.push(stream)
  return stream
}
const write = async (message: string) => {
  const { status } = await api.put(`/projects/${ORCHARD}/banner`, { as: MARA, body: { message } })
  expect(status).toBe(200)
}
const eventFrames = (frames: readonly ReceivedFrame[]) =>
  frames.filter(({ event }) => !['place', 'end'].includes(event))
const count = (wanted: number) => (frames: readonly ReceivedFrame[]) => eventFrames(frames).length >= wanted
const ended = (reason: string) => (frames: readonly ReceivedFrame[]) =>
  frames.some(({ event, data }) => event === 'end' && data.reason === reason)
/** Waits until no account has a stream open. */
const gone = () => pause(50)

let start: string
beforeEach(async () => {
  start = await currentFeedCursor(api)
})

describe('a stream', () => {
  test('sends new events, represented as on a page', async () => {
    await write('Before')
    await pause(100)
    const stream = await open()
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    await write('After')
    const [frame] = eventFrames(await stream.until(count(1)))
    const { json } = await api.get(`/events?after=${start}`)
    expect(stream.text()).toMatch(/^retry: 2000\n\n/)
    expect(frame).toMatchObject({ id: json.events.at(-1).id, event: 'project.changed', data: json.events.at(-1) })
  })

  test('sends events without delay', async () => {
    const stream = await open()
    const delays: number[] = []
    for (let turn = 1; turn <= 10; turn++) {
      await write(`${turn}`)
      const began = Date.now()
      const frames = eventFrames(await stream.until(count(turn)))
      delays.push((frames.at(-1)?.arrived ?? 0) - began)
    }
    // The machine may be busy with other tests.
    expect(delays.toSorted((one, other) => one - other)[2]).toBeLessThan(150)
  })

  test('continues after the last id, which takes precedence over `after`', async () => {
    for (const message of ['1', '2', '3']) await write(message)
    const whole = eventFrames(await (await open(`/events?after=${start}`)).until(count(3)))
    const headers = { 'last-event-id': whole[0]?.id ?? '' }
    const rest = eventFrames(await (await open(`/events?after=${start}`, { headers })).until(count(2)))
    await pause(100)
    expect(rest.map(({ id }) => id)).toEqual(whole.slice(1).map(({ id }) => id))
  })

  test('sends every event once, also if the previous stream ended as this one began', async () => {
    for (let turn = 0; turn < 10; turn++) {
      const before = await open()
      before.close()
      await pause(turn)
      await open()
    }
    for (const stream of opened.slice(0, -1)) stream.close()
    const last = opened.at(-1)
    for (const message of ['1', '2', '3', '4', '5']) await write(message)
    await last?.until(count(5))
    await pause(200)
    expect(eventFrames(last?.frames ?? []).map(({ id }) => id)).toHaveLength(5)
  })

  test('accepts the filters of the page', async () => {
    const stream = await open(`/events?after=${start}&types=artifact.*&tracker=${BUGS}`)
    await write('Not this')
    const body = { tracker: { id: BUGS }, values_by_field: { summary: { value: 'This' } } }
    await api.post('/artifacts', { as: TOM, body })
    expect(eventFrames(await stream.until(count(1)))).toMatchObject([{ event: 'artifact.created' }])
  })

  test('sends heartbeats and its cursor', async () => {
    const stream = await open()
    const [frame] = await stream.until((frames) => frames.some(({ event }) => event === 'place'))
    await expect.poll(() => stream.text()).toContain(': beat\n\n')
    expect(frame).toMatchObject({ event: 'place', data: null })
    await write('After')
    const again = await open('/events', { headers: { 'last-event-id': frame?.id ?? '' } })
    expect(eventFrames(await again.until(count(1)))).toHaveLength(1)
  })

  test('is refused for an expired or malformed cursor', async () => {
    const headers = (id: string) => ({ accept: 'text/event-stream', 'last-event-id': id })
    expect((await api.get('/events', { headers: headers('garbage') })).json.error).toMatchObject({
      reason: 'parameter_invalid',
      details: { path: 'Last-Event-ID' },
    })
    await beginFeedEpoch(context.db)
    const expired = await api.get('/events', { headers: headers(start) })
    expect([expired.status, expired.json.error.reason]).toEqual([410, 'cursor_expired'])
    expect(expired.headers['content-type']).toContain('application/json')
  })

  test('ends when the database is restored: the reconnecting client gets the exact error', async () => {
    const stream = await open()
    await stream.until((frames) => frames.some(({ event }) => event === 'place'))
    await beginFeedEpoch(context.db)
    await write('Of another time')
    await stream.until(ended('unavailable'))
    expect(eventFrames(stream.frames)).toEqual([])
  })

  test('answers HEAD with headers only', async () => {
    const answer = await api.request('HEAD', '/events', { headers: { accept: 'text/event-stream' } })
    expect([answer.status, answer.text]).toEqual([200, ''])
  })

  test('is offered by no other route', async () => {
    expect((await api.get('/projects', { headers: { accept: 'text/event-stream' } })).status).toBe(406)
  })
})

describe('a credential that ends', () => {
  test.each<[string, () => Promise<ReceivedStream>, () => Promise<{ status: number }>]>([
    ['a deleted key', () => open('/events', { as: TOM }), () => api.delete(`/access_keys/${TOM.key_id}`, { as: TOM })],
    [
      'a suspended account',
      () => open('/events', { as: TOM }),
      () => api.patch(`/users/${TOM.id}`, { as: ADA, body: { status: 'S' } }),
    ],
    [
      'anonymous access',
      async () => open(),
      () => api.patch('/settings', { as: ADA, body: { anonymous_access: false } }),
    ],
  ])('closes the stream within a second: %s', async (_, begin, end) => {
    const stream = await begin()
    expect((await end()).status).toBe(200)
    await stream.until(ended('credentials_expired'), WITHIN_A_SECOND_MS)
    await write('Not for them')
    await pause(150)
    expect(eventFrames(stream.frames)).toEqual([])
    expect(stream.isOver()).toBe(true)
  })

  test('closes the stream after a sign-out; an open stream does not extend the session', async () => {
    const headers = await signInWithCookie(api, OLGA)
    const stream = await open('/events', { headers })
    await pause(600)
    expect(stream.isOver()).toBe(false)
    expect((await api.delete('/session', { headers, reader: OLGA })).status).toBe(200)
    await stream.until(ended('credentials_expired'), WITHIN_A_SECOND_MS)
  })

  test('closes the stream after a change of the password that was the credential', async () => {
    const stream = await open('/events', { headers: basic(UMA) })
    await stream.until((frames) => frames.some(({ event }) => event === 'place'))
    await context.db.updateTable('account').set({ password_hash: 'another' }).where('id', '=', UMA.id).execute()
    expect(ended('credentials_expired')(await stream.until(ended('credentials_expired'), WITHIN_A_SECOND_MS))).toBe(
      true,
    )
  })

  test('leaves the stream of a read-only key open', async () => {
    await sql`update access_key set scopes = '{read:rest}' where id = ${VICTOR.key_id}`.execute(context.db)
    const stream = await open('/events', { as: VICTOR })
    await write('Public')
    expect(eventFrames(await stream.until(count(1)))).toHaveLength(1)
  })

  test('is refused at the start if its scope does not include reading', async () => {
    await sql`update access_key set scopes = '{read:svn}' where id = ${VICTOR.key_id}`.execute(context.db)
    const answer = await api.get('/events', { as: VICTOR, headers: { accept: 'text/event-stream' } })
    expect([answer.status, answer.json.error.reason]).toEqual([403, 'credentials_scope'])
  })
})

describe('limits', () => {
  test('allow an account 8 streams, and another one when one is closed', async () => {
    const streams = await Promise.all(Array.from({ length: 8 }, () => open('/events', { as: TOM })))
    const ninth = await api.get('/events', { as: TOM, headers: { accept: 'text/event-stream' } })
    expect([ninth.status, ninth.json.error.reason, ninth.headers['retry-after']]).toEqual([429, 'rate_limited', '1'])
    expect((await api.get('/events', { as: TOM })).status).toBe(200)
    streams[0]?.close()
    await expect.poll(async () => (await open('/events', { as: TOM })).status).toBe(200)
  })

  test('disconnect a slow reader, and buffer nothing for them', async () => {
    const other = await startAnother()
    const stream = await openStream(other.api, `/events?after=${start}`)
    opened.push(stream)
    stream.pause()
    await flood(40_000)
    const before = process.memoryUsage().arrayBuffers
    for (let waited = 0; other.server.eventStreams.size > 0 && waited < 100_000; waited += 100) await pause(100)
    expect(other.server.eventStreams.size).toBe(0)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16_000_000)
    stream.resume()
    await stream.until(() => stream.isOver())
    expect(eventFrames(stream.frames).length).toBeLessThan(40_000)
  })

  test('let a fast reader have everything, however far behind they were', async () => {
    await flood(5000)
    const stream = await open(`/events?after=${start}`)
    const ids = eventFrames(await stream.until(count(5000), 110_000)).map(({ id }) => id)
    expect(new Set(ids).size).toBe(5000)
  })

  test('hold no database connection for a stream', async () => {
    const people = [ADA, MARA, TOM, UMA, OLGA]
    const streams = await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const as = people[Math.floor(index / 8)]
        return open('/events', as ? { as } : {})
      }),
    )
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200))
    await expect.poll(() => poolState(context.pools.streams).busy).toBeLessThanOrEqual(3)
    await expect.poll(() => poolState(context.db).busy).toBe(0)
    await write('To all of them')
    await Promise.all(streams.map((stream) => stream.until(count(1))))
    expect((await api.get('/projects')).status).toBe(200)
  })
})

test('a server that shuts down notifies its readers, and does not wait for them', async () => {
  const other = await startAnother()
  const stream = await openStream(other.api, '/events')
  await write('Still')
  await stream.until(count(1))
  const began = Date.now()
  await drain(other.server, 20_000)
  expect(Date.now() - began).toBeLessThan(15_000) // It would wait for 20 seconds.
  await stream.until(ended('unavailable'))
})

/** Writes more than the socket buffers of both sides hold. */
async function flood(events: number): Promise<void> {
  await sql`insert into event (type, object, project_id, payload) select 'project.changed', 'projects/2001', 2001,
    jsonb_build_object('changed', jsonb_build_array(repeat('x', 200))) from generate_series(1, ${events}::integer)`.execute(
    context.db,
  )
}
