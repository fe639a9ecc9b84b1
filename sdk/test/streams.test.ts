import { afterEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../server/test/harness/start-world.ts'
import { MARA, TOM } from '../../server/test/fixtures/people.ts'
import { BUG, BUGS, LEDGER, ORCHARD } from '../../server/test/fixtures/seed-ids.ts'
import { type Failure, Refusal } from '../src/answer.ts'
import { createClient } from '../src/client.ts'
import { readFrames } from '../src/event-stream.ts'
import { followFeed } from '../src/feed.ts'
import { applyFrame, followQuery, type LiveFrame, type LiveRows, NO_ROWS } from '../src/live-query.ts'

const { startAnother } = await startWorld()
const { api, server } = await startAnother()
const mara = createClient({ url: api.origin, key: MARA.key })
const tom = createClient({ url: api.origin, key: TOM.key })
const announce = (message: string) =>
  mara.call('PUT /projects/{id}/banner', { path: { id: ORCHARD }, body: { message } })
const report = (value: string) =>
  tom.call('POST /artifacts', { body: { tracker: { id: BUGS }, values: [{ field_id: BUG.summary, value }] } })

/** Tables are emptied before the next test, so open streams must end. */
const stops: AbortController[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) stop.abort()
  await untilStreams(0)
})
/** Waits until the server has this many streams open. */
async function untilStreams(count: number): Promise<void> {
  await expect.poll(() => server.eventStreams.size).toBe(count)
}
function stopper(): AbortController {
  const stop = new AbortController()
  stops.push(stop)
  return stop
}

describe('the feed', () => {
  test('is followed from now on', async () => {
    const stop = stopper()
    const feed = followFeed(tom, { types: 'project.*' }, { signal: stop.signal })
    const first = feed.next()
    await untilStreams(1)
    await announce('Harvest')

    expect((await first).value).toMatchObject({ type: 'project.changed', object: `projects/${ORCHARD}` })
  })

  test('resumes after the last event when the connection breaks, without a gap', async () => {
    const stop = stopper()
    const connections: Headers[] = []
    const troubles: (Failure | undefined)[] = []
    let cut: (() => void) | undefined
    const client = createClient({
      url: api.origin,
      key: TOM.key,
      fetch: async (url, request) => {
        connections.push(new Headers(request.headers))
        if (connections.length === 2) throw new Error('No network.')
        const breaking = new AbortController()
        cut = () => breaking.abort()
        const signal = AbortSignal.any([breaking.signal, ...(request.signal ? [request.signal] : [])])
        return fetch(url, { ...request, signal })
      },
    })
    const following = { signal: stop.signal, onTrouble: (failure?: Failure) => void troubles.push(failure) }
    const feed = followFeed(client, { types: 'project.*' }, following)
    const first = feed.next()
    await untilStreams(1)
    await announce('One')
    const one = (await first).value

    cut?.()
    await announce('Two')
    const second = await feed.next()

    expect(second.value).toMatchObject({ type: 'project.changed' })
    expect(second.value).not.toEqual(one)
    expect(connections.at(-1)?.get('last-event-id')).toBe(one?.id)
    expect(troubles).toMatchObject([{ status: 0 }, { status: 0, message: 'No network.' }, undefined])
  })

  test('ends without an error when it is aborted', async () => {
    const stop = stopper()
    const rest = Array.fromAsync(followFeed(tom, {}, { signal: stop.signal }))
    await untilStreams(1)
    stop.abort()

    expect(await rest).toEqual([])
  })

  test('throws a permanent refusal', async () => {
    const follow = (query: Parameters<typeof followFeed>[1]) =>
      followFeed(tom, query, { signal: stopper().signal }).next()

    await expect(follow({ types: 'nonsense' })).rejects.toMatchObject({ failure: { reason: 'parameter_not_allowed' } })
    await expect(follow({ tracker: LEDGER })).rejects.toBeInstanceOf(Refusal)
  })

  test('ends when its key is deleted', async () => {
    const made = await tom.call('POST /access_keys')
    const [id, key] = made.ok ? [Number(/k1-(\d+)/.exec(made.body.identifier)?.[1]), made.body.identifier] : [0, '']
    const feed = followFeed(createClient({ url: api.origin, key }), {}, { signal: stopper().signal })
    const ended = feed.next().catch((error: unknown) => error)
    await untilStreams(1)
    await tom.call('DELETE /access_keys/{id}', { path: { id } })

    expect(await ended).toMatchObject({ failure: { reason: 'credentials_expired' } })
  })
})

describe('a live query', () => {
  test('keeps its rows current while others write', async () => {
    await report('First')
    let rows: LiveRows = NO_ROWS
    const seen: LiveFrame['event'][] = []
    for await (const frame of followQuery(tom, { tracker: BUGS, fields: 'title' }, { signal: stopper().signal })) {
      rows = applyFrame(rows, frame)
      seen.push(frame.event)
      if (frame.event === 'ready') await report('Second')
      if (frame.event === 'enter') break
    }

    expect(seen).toEqual(['ready', 'enter'])
    expect(rows).toMatchObject({ size: 2, isReady: true })
    expect(rows.rows.map(({ artifact }) => artifact?.title)).toEqual([undefined, 'Second'])
  })

  test('applies each frame to its rows', () => {
    const after = (...frames: LiveFrame[]) => frames.reduce(applyFrame, NO_ROWS)
    const ready = (...ids: number[]): LiveFrame => ({
      event: 'ready',
      size: ids.length,
      rows: ids.map((id) => ({ id, v: 'a' })),
    })
    const ids = ({ rows }: LiveRows) => rows.map(({ id }) => id)

    expect(ids(after(ready(1, 2, 3), { event: 'leave', id: 2, size: 2 }))).toEqual([1, 3])
    expect(after(ready(1), { event: 'size', size: 7 })).toMatchObject({ size: 7, isReady: true })
    expect(after(ready(1), { event: 'reset' })).toMatchObject({ isReady: false })
    expect(ids(after(ready(1, 2), { event: 'reset' }, ready(2)))).toEqual([2])
  })
})

describe('frames', () => {
  const framesOf = (...chunks: string[]) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
        controller.close()
      },
    })
    return Array.fromAsync(readFrames(body, () => undefined))
  }

  test('are parsed wherever the network splits them', async () => {
    expect(
      await framesOf('id: 1\nevent: a', 'dded\ndata: {"x":\n', 'data: 1}\n', '\nid: 2\r\nevent: b\r\n\r\n'),
    ).toEqual([
      { id: '1', event: 'added', data: '{"x":\n1}' },
      { id: '2', event: 'b', data: '' },
    ])
  })

  test('are not created from heartbeats, nor from an incomplete frame at the end', async () => {
    expect(await framesOf(': beat\n\nretry: 2000\n\n', 'id: 3\nevent: half\ndata: {}\n')).toEqual([])
  })
})
