import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeInBulk } from '../../../test/fixtures/bulk.ts'
import { EVERY_FIELD, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { closeAll, openLive, type LiveStream } from '../../../test/harness/live-query.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { BUG, BUG_STATUS, BUGS } from '../../../test/fixtures/seed-ids.ts'
import { withStreamLimits } from '../../../test/harness/stream-limits.ts'
import { type StreamFrame, toStreamLimits } from '../../platform/http/event-stream.ts'
import { english } from '../../platform/messages/english.ts'
import { ROUTES } from '../../routes.ts'

const limits = toStreamLimits({
  heartbeatMs: 200,
  cursorIntervalMs: 400,
  stallTimeoutMs: 500,
  maxDurationMs: 60_000,
})
const { api, clock, context } = await startWorld({
  routes: withStreamLimits(ROUTES, limits),
})

const opened: LiveStream[] = []
afterEach(() => closeAll(context, opened))
const LIVE = `/trackers/${BUGS}/artifacts/live`
const open = async (query = '', options: Parameters<typeof openLive>[2] = { as: TOM }) => {
  const stream = await openLive(api, `${LIVE}${query}`, options)
  opened.push(stream)
  if (stream.status === 200) await stream.until((frames) => frames.length > 0)
  return stream
}
const plant = async (summary: string, values: Record<string, unknown> = {}, as = TOM): Promise<number> => {
  const body = { tracker: { id: BUGS }, values_by_field: { summary: { value: summary }, ...values } }
  const { status, json, text } = await api.post('/artifacts', { as, body })
  if (status !== 201) throw new Error(text)
  return json.id
}
const change = async (id: number, values: readonly object[], as = TOM) => {
  const { status, text } = await api.put(`/artifacts/${id}`, { as, body: { values } })
  if (status !== 200) throw new Error(text)
}
const isOpen = encodeURIComponent(JSON.stringify({ status: BUG_STATUS.open }))
const settled = { field_id: BUG.status, bind_value_ids: [BUG_STATUS.fixed] }

let first: number
beforeEach(async () => {
  first = await plant('First')
})

describe('the window', () => {
  test('begins with all of its rows', async () => {
    const second = await plant('Second')
    const stream = await open()
    const { headers } = await api.get(`/artifacts/${first}`, { as: TOM })
    expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(stream.text()).toMatch(/^retry: 2000\n\n/)
    expect(stream.frames[0]).toMatchObject({
      event: 'ready',
      id: expect.stringMatching(/^[0-9a-f]+\.[0-9a-f]+$/),
      data: { size: 2, rows: [{ id: first }, { id: second }] },
    })
    expect(`"${stream.frames[0]?.data.rows[0].v}`).toBe(String(headers['etag']).split('.')[0])
  })

  test('lets a new artifact enter at its position, represented as in the list', async () => {
    const stream = await open('?order=desc')
    const second = await plant('Second')
    await stream.untilRows(({ ids }) => ids.length === 2)
    const { json } = await api.get(`/trackers/${BUGS}/artifacts?order=desc`, { as: TOM })
    expect(stream.framesAfterReady()).toMatchObject([
      { event: 'enter', data: { id: second, position: 0, size: 2, why: 'created', artifact: json[0] } },
    ])
    const { headers } = await api.get(`/artifacts/${second}`, { as: TOM })
    expect(`"${stream.framesAfterReady()[0]?.data.v}`).toBe(String(headers['etag']).split('.')[0])
  })

  test('reports a change, an artifact that starts to match, and one that no longer matches', async () => {
    const second = await plant('Second', { status: { bind_value_ids: [BUG_STATUS.fixed] } })
    const stream = await open(`?query=${isOpen}`)
    expect(stream.rows()).toMatchObject({ size: 1, ids: [first] })
    await change(first, [{ field_id: BUG.summary, value: 'Other' }])
    await stream.until((frames) => frames.some(({ event }) => event === 'change'))
    await change(second, [{ field_id: BUG.status, bind_value_ids: [BUG_STATUS.open] }])
    await stream.until((frames) => frames.some(({ event }) => event === 'enter'))
    await change(first, [settled])
    await stream.until((frames) => frames.some(({ event }) => event === 'leave'))
    expect(stream.framesAfterReady()).toMatchObject([
      { event: 'change', data: { id: first, position: 0, size: 1, artifact: { title: 'Other' } } },
      { event: 'enter', data: { id: second, position: 1, size: 2, why: 'changed', artifact: { status: 'Open' } } },
      { event: 'leave', data: { id: first, size: 1, why: 'changed' } },
    ])
  })

  test('reports a deleted and a restored artifact', async () => {
    const stream = await open('', { as: MARA })
    expect((await api.delete(`/artifacts/${first}`, { as: MARA })).status).toBe(200)
    await stream.untilRows(({ ids }) => ids.length === 0)
    expect((await api.post(`/artifacts/${first}/restore`, { as: MARA })).status).toBe(200)
    await stream.untilRows(({ ids }) => ids.length === 1)
    expect(stream.framesAfterReady()).toMatchObject([
      { event: 'leave', data: { id: first, size: 0, why: 'deleted' } },
      { event: 'enter', data: { id: first, position: 0, size: 1, why: 'changed' } },
    ])
  })

  test('reports a row that only moves', async () => {
    const [second, third] = [
      await plant('Second', { points: { value: 2 } }),
      await plant('Third', { points: { value: 3 } }),
    ]
    const stream = await open(`?expert_query=${encodeURIComponent('ORDER BY points')}`)
    expect(stream.rows().ids).toEqual([second, third, first]) // Nulls are last.
    await change(second, [{ field_id: BUG.points, value: 4 }])
    await stream.untilRows(({ ids }) => ids[0] === third)
    expect(stream.framesAfterReady()).toMatchObject([{ event: 'change', data: { id: second, position: 1, size: 3 } }])
    expect(stream.rows().ids).toEqual([third, second, first])
  })

  test('shows no more rows than the limit, and reports the total size', async () => {
    const second = await plant('Second')
    const stream = await open('?limit=2')
    const third = await plant('Third')
    await stream.untilRows(({ size }) => size === 3)
    expect((await api.delete(`/artifacts/${first}`, { as: MARA })).status).toBe(200)
    await stream.untilRows(({ size }) => size === 2)
    expect(stream.framesAfterReady()).toMatchObject([
      { event: 'size', data: { size: 3 } },
      { event: 'leave', data: { id: first, size: 2, why: 'deleted' } },
      { event: 'enter', data: { id: third, position: 1, size: 2, why: 'window' } },
    ])
    expect(stream.rows().ids).toEqual([second, third])
  })

  test('drops the last row when another one enters before it', async () => {
    const stream = await open('?limit=1&order=desc')
    const second = await plant('Second')
    await stream.untilRows(({ ids }) => ids[0] === second)
    expect(stream.framesAfterReady()).toMatchObject([
      { event: 'leave', data: { id: first, size: 2, why: 'window' } },
      { event: 'enter', data: { id: second, position: 0, size: 2, why: 'created' } },
    ])
  })

  test('is reloaded when very many artifacts change at once', async () => {
    const lines = Array.from({ length: 600 }, (_, at) => ({
      op: 'create',
      values_by_field: { summary: { value: `Bulk ${at}` } },
    }))
    expect((await writeInBulk(api, BUGS, lines)).done).toMatchObject({ succeeded: 600 })
    const stream = await open('?limit=5')
    await sql`insert into event (type, object, project_id, payload)
      select 'artifact.updated', 'artifacts/' || id, project_id, jsonb_build_object('tracker_id', tracker_id, 'version', version)
      from artifact where tracker_id = ${BUGS}`.execute(context.db)
    await stream.until((frames) => frames.filter(({ event }) => event === 'ready').length > 1)
    expect(stream.frames.map(({ event }) => event)).toContain('reset')
    expect(stream.rows()).toMatchObject({ size: 601 })
    expect(stream.rows().ids).toHaveLength(5)
  })

  test('shows the chosen members, and values on request', async () => {
    const stream = await open('?fields=title,values.summary,values.points')
    const second = await plant('Second', { points: { value: 7 } })
    await stream.untilRows(({ ids }) => ids.length === 2)
    const { json } = await api.get(`/trackers/${BUGS}/artifacts?fields=title,values.summary,values.points`, { as: TOM })
    expect(stream.rows().artifacts.get(second)).toEqual(json[1])
    expect(Object.keys(json[1])).toEqual(['id', 'uri', 'values', 'title'])
  })

  test('is complete after a reconnect, whatever the last id says', async () => {
    const stream = await open()
    const last = String(stream.frames[0]?.id)
    stream.close()
    for (const id of [last, 'garbage', '1.1.1']) {
      const again = await open('', { as: TOM, headers: { 'last-event-id': id } })
      expect(again.frames[0]).toMatchObject({ event: 'ready', data: stream.frames[0]?.data })
    }
  })

  test('follows artifacts that are moved into or out of the tracker', async () => {
    const other = await makeTestTracker(api, { ...EVERY_FIELD, settings: { allow_move: true } })
    const stream = await open('', { as: ADA })
    const moved = await api.patch(`/artifacts/${first}`, { as: ADA, body: { move: { tracker_id: other.id } } })
    expect([moved.status, moved.text]).toMatchObject([200, expect.anything()])
    await stream.untilRows(({ ids }) => ids.length === 0)
    expect(stream.framesAfterReady()).toMatchObject([{ event: 'leave', data: { id: first, size: 0, why: 'changed' } }])
    const there = await openLive(api, `/trackers/${other.id}/artifacts/live`, { as: ADA })
    opened.push(there)
    await there.untilRows(({ ids }) => ids[0] === first)
  })
})

describe('the dependencies of a query', () => {
  test('include linked artifacts, as deep as the query goes', async () => {
    const [middle, end] = [await plant('Middle'), await plant('End')]
    const query = encodeURIComponent('IS LINKED TO WHERE (IS LINKED TO WHERE (summary = "far"))')
    const stream = await open(`?expert_query=${query}`)
    const link = (id: number, to: readonly number[]) =>
      change(id, [{ field_id: BUG.links, links: to.map((each) => ({ id: each })) }])
    expect(stream.rows().ids).toEqual([])
    await link(first, [middle])
    await link(middle, [end])
    await change(end, [{ field_id: BUG.summary, value: 'Very far' }])
    await stream.untilRows(({ ids }) => ids[0] === first)
    await link(middle, [])
    await stream.untilRows(({ ids }) => ids.length === 0)
  })

  test('include reverse links, also one that is removed', async () => {
    const other = await plant('Other')
    const stream = await open(`?expert_query=${encodeURIComponent('IS LINKED FROM')}`)
    await change(other, [{ field_id: BUG.links, links: [{ id: first }] }])
    await stream.untilRows(({ ids }) => ids[0] === first)
    await change(other, [{ field_id: BUG.links, links: [] }])
    await stream.untilRows(({ ids }) => ids.length === 0)
    expect(stream.framesAfterReady().map(({ event }) => event)).toEqual(['enter', 'leave'])
  })

  test('include the current time', async () => {
    const stream = await open(`?expert_query=${encodeURIComponent('@submitted_on < NOW() - 1d')}`)
    expect(stream.rows().ids).toEqual([])
    clock.advance(2 * 86_400_000)
    await stream.untilRows(({ ids }) => ids[0] === first)
    expect(stream.framesAfterReady().map(({ event }) => event)).toEqual(['reset', 'ready'])
  })

  test('include the definition of the tracker', async () => {
    const stream = await open(`?query=${isOpen}`)
    const { json: definition } = await api.get(`/trackers/${BUGS}/definition`, { as: MARA })
    const body = { ...definition, label: 'Beetles' }
    expect((await api.put(`/trackers/${BUGS}/definition`, { as: MARA, body })).status).toBe(200)
    await stream.until((frames) => frames.filter(({ event }) => event === 'ready').length > 1)
    expect(stream.framesAfterReady().map(({ event }) => event)).toEqual(['reset', 'ready'])
    await plant('Second')
    await stream.untilRows(({ ids }) => ids.length === 2)
    expect(stream.framesAfterReady().at(-1)?.data.artifact.tracker.label).toBe('Beetles')
  })
})

describe('a stream', () => {
  test('counts towards the eight streams of an account, of all kinds', async () => {
    for (let at = 0; at < 4; at++) await open()
    for (let at = 0; at < 4; at++) opened.push(await openLive(api, '/events', { as: TOM }))
    for (const path of [LIVE, '/events']) {
      const { status, json } = await api.get(path, { as: TOM, headers: { accept: 'text/event-stream' } })
      expect([status, json.error.reason]).toEqual([429, 'rate_limited'])
    }
    expect((await open('', { as: UMA })).status).toBe(200)
  })

  test('sends heartbeats', async () => {
    const stream = await open()
    await stream.until(() => stream.text().includes(': beat\n\n'))
    expect(stream.rows().ids).toEqual([first])
  })

  test('answers HEAD with headers only', async () => {
    const { status, text } = await api.request('HEAD', LIVE, { as: TOM, headers: { accept: 'text/event-stream' } })
    expect([status, text]).toEqual([200, ''])
  })

  test('buffers nothing for a slow reader, and sends everything again later', async () => {
    const viewer = {
      account_id: TOM.id,
      language: null,
      time_zone: null,
      credential: { kind: 'basic', id: null },
    } as const
    const liveQuery = { tracker: BUGS, search: {}, limit: 10, language: english, withValues: false }
    const frames: StreamFrame[] = []
    const stream = {
      limits,
      isOver: false,
      hasRoom: true,
      send: (some: readonly StreamFrame[]) => frames.push(...some),
      end() {},
    }
    const following = {
      ...(await context.live.open(context, viewer, liveQuery)),
      liveQuery,
      guest: { viewer, headers: {} },
    }
    const leave = context.live.subscribe(context, stream, following)
    const other = await open() // Gets every frame that the slow stream misses.
    const events = () => frames.map(({ event }) => event)
    await other.until(() => events().length === 1)
    stream.hasRoom = false
    for (const title of ['One', 'Two', 'Three']) {
      await change(first, [{ field_id: BUG.summary, value: title }])
      await other.until(() => other.text().includes(title))
    }
    expect(events()).toEqual(['ready'])
    stream.hasRoom = true
    await other.until(() => events().length > 1)
    leave()
    expect(events()).toEqual(['ready', 'reset', 'ready'])
    expect(frames.at(-1)?.data).toMatchObject({ size: 1, rows: [{ id: first, v: other.rows().versions.get(first) }] })
  })
})
