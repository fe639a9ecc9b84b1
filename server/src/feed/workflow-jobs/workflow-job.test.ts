import { beforeEach, describe, expect, test } from 'vitest'
import { writeInBulk } from '../../../test/fixtures/bulk.ts'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, TOM } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { allowLoopback, startReceiver } from '../../../test/peers/webhook-receiver.ts'

const { api, context, clock } = await startWorld()
const server = await startReceiver()

const STATUS = {
  name: 'status',
  type: 'sb',
  label: 'Status',
  bind: { type: 'static', values: ['New', 'Ready', 'Built'].map((label) => ({ label })) },
}

/** A tracker whose artifacts run these jobs when they become ready. */
async function boardWith(...urls: string[]): Promise<MadeTracker> {
  const actions = urls.map((job_url) => ({ type: 'run_job', job_url }))
  return makeTestTracker(api, {
    label: 'Board',
    item_name: 'board',
    permissions: { full: ['@anonymous'] },
    elements: [{ name: 'summary', type: 'string', label: 'Summary' }, STATUS],
    semantics: { title: 'summary' },
    workflow: {
      field: 'status',
      used: true,
      mode: 'simple',
      states: [
        { to: 'new', from: ['@new'] },
        { to: 'ready', from: ['@new', 'new'], actions },
        { to: 'built', from: ['ready'] },
      ],
    },
  })
}

const card = (board: MadeTracker, status = 'New') => makeTestArtifact(api, board, { summary: 'Crates', status })
const put = (id: number, status: string, more: { query?: string; headers?: Record<string, string> } = {}) =>
  api.put(`/artifacts/${id}${more.query ?? ''}`, {
    as: TOM,
    body: { values_by_field: { status } },
    ...(more.headers && { headers: more.headers }),
  })
const jobs = async (state: string) => (await api.get(`/jobs?type=run_job&state=${state}`, { as: ADA })).json
const paths = async () => (await server.received()).map(({ path }) => path)

beforeEach(() => allowLoopback(api))

describe('a transition that runs a job', () => {
  test('sends one empty POST to its server, after the change', async () => {
    const id = await card(await boardWith(server.url('/job/release/build?token=abc')))
    await drainWorker(context)
    expect(await server.received()).toEqual([])

    expect((await put(id, 'Ready')).status).toBe(200)
    await drainWorker(context)
    await drainWorker(context)

    const { json } = await api.get('/events?types=artifact.updated', { as: TOM })
    const [request, ...more] = await server.received()
    expect(more).toEqual([])
    expect(request).toMatchObject({ method: 'POST', path: '/job/release/build?token=abc', body: '' })
    expect(request?.headers).toMatchObject({
      'user-agent': 'Waypost-Webhook/1',
      'content-length': '0',
      'x-waypost-event': 'artifact.updated',
      'x-waypost-event-id': json.events.at(-1).id,
    })
    expect(await jobs('done')).toMatchObject([{ object: `artifacts/${id}`, attempts: 0 }])
  })

  test('sends one request for each of its jobs, and other transitions send none', async () => {
    const id = await card(await boardWith(server.url('/one'), server.url('/two')))
    await put(id, 'Ready')
    await put(id, 'Built')
    await api.put(`/artifacts/${id}`, { as: TOM, body: { comment: { body: 'Good' } } })
    await drainWorker(context)
    expect(await paths()).toEqual(['/one', '/two'])
  })

  test('also applies to new artifacts, bulk changes and silent changes', async () => {
    const board = await boardWith(server.url('/build'))
    const id = await card(board)
    await card(board, 'Ready')
    const { statuses } = await writeInBulk(
      api,
      board.id,
      [
        { op: 'create', values_by_field: { summary: { value: 'Boxes' }, status: 'Ready' } },
        { op: 'update', id, values_by_field: { status: 'Ready' } },
      ],
      { as: MARA, query: '?notify=false' },
    )
    expect(statuses).toEqual([201, 200])
    await drainWorker(context)
    expect(await paths()).toEqual(['/build', '/build', '/build'])
  })

  test('that is refused, or only a dry run, sends nothing', async () => {
    const id = await card(await boardWith(server.url()))
    expect((await put(id, 'Ready', { query: '?dry_run=true' })).status).toBe(200)
    expect((await put(id, 'Ready', { headers: { 'if-match': '"elsewhere"' } })).status).toBe(412)
    expect((await put(id, 'Built')).status).toBe(400)
    await drainWorker(context)
    expect(await server.received()).toEqual([])
    expect((await api.get('/jobs?type=run_job', { as: ADA })).json).toEqual([])
  })

  test('that is sent twice with one idempotency key sends one request', async () => {
    const id = await card(await boardWith(server.url()))
    const headers = { 'idempotency-key': 'ready-1' }
    await put(id, 'Ready', { headers })
    await put(id, 'Ready', { headers })
    await drainWorker(context)
    expect(await server.received()).toHaveLength(1)
  })
})

describe('a server', () => {
  test.each(['/once/503', '/once/429'])('that fails (%s) is retried, for the same event', async (path) => {
    const id = await card(await boardWith(server.url(path)))
    expect((await put(id, 'Ready')).status).toBe(200)
    await drainWorker(context)
    expect(await jobs('retrying')).toMatchObject([
      { attempts: 1, last_error: `The server answered ${path.slice(-3)}.` },
    ])

    clock.advance(11_000)
    await drainWorker(context)

    expect(await jobs('done')).toHaveLength(1)
    const [first, second, ...more] = await server.received()
    expect(more).toEqual([])
    expect(second?.headers['x-waypost-event-id']).toBe(first?.headers['x-waypost-event-id'])
  })

  test('that keeps failing is given up, blocks no other, and can be retried by hand', async () => {
    const dead = await card(await boardWith(server.url('/drop'), server.url('/works')))
    await put(dead, 'Ready')
    for (const minutes of [0, 1, 1, 3, 12, 70, 220, 600, 1800]) {
      clock.advance(minutes * 60_000)
      await drainWorker(context)
    }
    const [given, ...more] = await jobs('parked')
    expect(more).toEqual([])
    expect(given).toMatchObject({ object: `artifacts/${dead}`, attempts: 8, last_error: 'ECONNRESET' })
    const asked = await paths()
    expect(asked.filter((path) => path === '/works')).toHaveLength(1)
    // An attempt that broke on a kept connection is repeated on a new one.
    const dropped = asked.filter((path) => path === '/drop').length
    expect(dropped).toBeGreaterThanOrEqual(9)

    expect((await api.post(`/jobs/${given.id}/retry`, { as: ADA })).status).toBe(202)
    await drainWorker(context)
    expect((await paths()).filter((path) => path === '/drop').length).toBeGreaterThan(dropped)
  })

  test.each(['/status/404', '/redirect?to=/elsewhere'])('that refuses (%s) is given up at once', async (path) => {
    const id = await card(await boardWith(server.url(path)))
    expect((await put(id, 'Ready')).status).toBe(200)
    await drainWorker(context)
    expect(await jobs('parked')).toMatchObject([{ object: `artifacts/${id}`, attempts: 0 }])
    expect(await paths()).toEqual([path])
  })

  test('at a private address is never contacted', async () => {
    await api.patch('/settings', { as: ADA, body: { webhook_private_targets: [] } })
    const id = await card(await boardWith(server.url()))
    expect((await put(id, 'Ready')).status).toBe(200)
    await drainWorker(context)
    expect(await server.received()).toEqual([])
    expect(await jobs('parked')).toMatchObject([{ attempts: 0, last_error: 'refused_target' }])
  })
})

describe('no request is sent', () => {
  const actionsOf = async (board: MadeTracker) => {
    const { json } = await api.get(`/trackers/${board.id}`, { as: MARA })
    const isIt = ({ from_id, to_id }: { from_id: number | null; to_id: number }) =>
      from_id === board.value('status', 'New') && to_id === board.value('status', 'Ready')
    return `/tracker_workflow_transitions/${json.workflow.transitions.find(isIt).id}/actions`
  }

  test.each([
    [
      'where the action is gone',
      async (board: MadeTracker) => api.put(await actionsOf(board), { as: MARA, body: { post_actions: [] } }),
    ],
    ['in a tracker that is deleted', (board: MadeTracker) => api.delete(`/trackers/${board.id}`, { as: MARA })],
    [
      'in a project that is suspended',
      () => api.patch(`/projects/${ORCHARD}`, { as: ADA, body: { status: 'suspended' } }),
    ],
  ])('%s', async (_where, end) => {
    const board = await boardWith(server.url())
    await put(await card(board), 'Ready')
    expect((await end(board)).status).toBe(200)
    await drainWorker(context)
    expect(await server.received()).toEqual([])
    expect(await jobs('done')).toHaveLength(1)
  })

  test('except to the current address of the action', async () => {
    const board = await boardWith(server.url('/old'))
    await put(await card(board), 'Ready')
    const path = await actionsOf(board)
    const [{ id }] = (await api.get(path, { as: MARA })).json
    const post_actions = [{ id, type: 'run_job', job_url: server.url('/new') }]
    expect((await api.put(path, { as: MARA, body: { post_actions } })).status).toBe(200)
    await drainWorker(context)
    expect(await paths()).toEqual(['/new'])
  })
})

// The last test, because it makes the server silent for the others, too.
test('a silent server is not contacted for a minute, however many jobs wait for it', async () => {
  const board = await boardWith(server.url('/slow/11000'))
  for (const id of [await card(board), await card(board), await card(board)]) await put(id, 'Ready')
  await drainWorker(context)
  expect(await server.received()).toHaveLength(1)
  const waiting = await jobs('retrying')
  expect(waiting.map(({ last_error }: { last_error: string }) => last_error).toSorted()).toEqual([
    'The server did not answer a moment ago.',
    'The server did not answer a moment ago.',
    'timeout',
  ])
})
