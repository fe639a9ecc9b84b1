import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { writeInBulk } from '../../../test/fixtures/bulk.ts'
import { countDeadlocks } from '../../../test/harness/deadlocks.ts'
import { EVERY_FIELD, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson, RITA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { BUG, BUGS, LEDGER, MARSH_BUGS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'

const { api, context, clock, startAnother } = await startWorld()

const send = (lines: readonly object[], options: Parameters<typeof writeInBulk>[3] = {}) =>
  writeInBulk(api, BUGS, lines, options)
const bug = (summary: string, more: object = {}) => ({
  op: 'create',
  values_by_field: { summary: { value: summary }, ...more },
})
const bugs = (count: number, name = 'Bug') => Array.from({ length: count }, (_, at) => bug(`${name} ${at + 1}`))
const points = (id: number, value: number, more: object = {}) => ({
  op: 'update',
  id,
  values: [{ field_id: BUG.points, value }],
  ...more,
})
/** The body of the single write that a line stands for. */
const bodyOf = (line: object) =>
  Object.fromEntries(Object.entries(line).filter(([name]) => name !== 'op' && name !== 'id'))
const create = async (summary = 'Pump leaks', as: TestPerson = TOM) => {
  const body = { tracker: { id: BUGS }, values_by_field: { summary: { value: summary } } }
  const { json, headers } = await api.post('/artifacts', { as, body })
  return { id: Number(json.id), etag: String(headers.etag) }
}
const titles = async () => {
  const { json } = await api.get(`/trackers/${BUGS}/artifacts?limit=1000`, { as: TOM })
  return json.map(({ title }: { title: string }) => title)
}
const eventsOf = async () => {
  const { rows } = await sql<{ type: string; object: string; payload: Record<string, unknown> }>`
    select type, object, payload from event where type like 'artifact.%' order by id`.execute(context.db)
  return rows
}

describe('a bulk write', () => {
  test('creates and updates artifacts, and returns an etag per line that is valid for the next write', async () => {
    const { id, etag } = await create()
    const answer = await send([
      bug('Valve rattles'),
      points(id, 5, { if_match: etag, comment: { body: 'moved' } }),
      { op: 'create', values: [{ field_id: BUG.summary, value: 'Gate sticks' }], comment: { body: 'new' } },
    ])
    expect(answer.lines).toEqual([
      { line: 1, status: 201, id: expect.any(Number), etag: expect.stringMatching(/^"[\w-]{22}"$/) },
      { line: 2, status: 200, id, etag: expect.stringMatching(/^"[\w-]{22}"$/) },
      { line: 3, status: 201, id: expect.any(Number), etag: expect.any(String) },
    ])
    expect(answer.done).toEqual({ lines: 3, succeeded: 3, unchanged: 0, failed: 0, stopped: false })
    for (const line of answer.lines) {
      const headers = { 'if-match': line.etag }
      const { status } = await api.put(`/artifacts/${line.id}`, { as: TOM, headers, body: bodyOf(points(line.id, 8)) })
      expect(status).toBe(200)
    }
    expect(await titles()).toEqual(['Pump leaks', 'Valve rattles', 'Gate sticks'])
  })

  test('refuses each invalid line and writes all others', async () => {
    const { id } = await create()
    const elsewhere = await makeTestArtifact(api, await makeTestTracker(api, EVERY_FIELD), { summary: 'Delivery' })
    const answer = await send([
      bug('One'),
      bug(''),
      { ...bug('With an id'), id: 5 },
      { ...bug('With a tag'), if_match: '*' },
      { ...bug('With both'), values: [{ field_id: BUG.summary, value: 'x' }] },
      { op: 'create' },
      { op: 'create', values: [] },
      { op: 'update', values: [] },
      { op: 'update', id },
      { op: 'update', id: 999_999, values: [] },
      { op: 'update', id: elsewhere, comment: { body: 'not here' } },
      { op: 'update', id: -1, values: [] },
      { op: 'move', id },
      { ...bug('With more'), tracker: { id: BUGS } },
      bug('Two', { no_such_field: 1 }),
      bug('Three', { status: { value: 'Rotten' } }),
      { ...bug('Four'), comment: { body: 'é'.repeat(33_000) } },
      bug('Five'),
    ])
    expect(
      answer.lines.map(({ line, status, id: shown, error }) => [line, status, shown && true, error?.reason]),
    ).toEqual([
      [1, 201, true, undefined],
      [2, 400, null, 'field_required'],
      [3, 400, true, 'parameter_conflict'],
      [4, 400, null, 'parameter_conflict'],
      [5, 400, null, 'parameter_conflict'],
      [6, 400, null, 'parameter_required'],
      [7, 400, null, 'parameter_required'],
      [8, 400, null, 'parameter_required'],
      [9, 400, true, 'parameter_required'],
      [10, 404, true, 'not_found'],
      [11, 404, true, 'not_found'],
      [12, 404, true, 'not_found'],
      [13, 400, null, 'parameter_not_allowed'],
      [14, 400, null, 'member_unknown'],
      [15, 400, null, 'reference_unknown'],
      [16, 400, null, 'value_not_allowed'],
      [17, 400, null, 'parameter_out_of_range'],
      [18, 201, true, undefined],
    ])
    expect(answer.lines[1].error).toMatchObject({
      code: 400,
      details: { all: [expect.objectContaining({ field_id: BUG.summary })] },
    })
    expect(answer.done).toMatchObject({ lines: 18, succeeded: 2, failed: 16 })
    expect(await titles()).toEqual(['Pump leaks', 'One', 'Five'])
  })

  test('reports the current version to a stale line, and writes nothing of it', async () => {
    const { id, etag } = await create()
    await api.put(`/artifacts/${id}`, { as: TOM, body: bodyOf(points(id, 1)) })
    const current = String((await api.get(`/artifacts/${id}`, { as: TOM })).headers.etag).split('.')[0]
    const answer = await send([points(id, 2, { if_match: etag }), points(id, 3, { if_match: '' }), points(id, 1)])
    expect(answer.statuses).toEqual([412, 412, 200])
    expect(answer.lines[0]).toMatchObject({
      id,
      error: { reason: 'version_mismatch', details: { current_etag: `${current}"` } },
    })
    // An idle update is reported as such, with the tag of the current version.
    expect(answer.lines[2]).toEqual({ line: 3, status: 200, id, etag: `${current}"` })
    expect(answer.done).toMatchObject({ succeeded: 0, unchanged: 1, failed: 2 })
    const { json } = await api.get(`/artifacts/${id}/changesets?limit=10`, { as: TOM })
    expect(json).toHaveLength(2)
  })

  test('refuses a stale line among updates of other artifacts', async () => {
    const [one, other] = [await create('One'), await create('Other')]
    await api.put(`/artifacts/${other.id}`, { as: TOM, body: bodyOf(points(other.id, 1)) })
    const answer = await send([
      points(one.id, 2, { if_match: one.etag }),
      points(other.id, 3, { if_match: other.etag }),
    ])
    expect(answer.statuses).toEqual([200, 412])
  })

  test('sees the writes of earlier lines', async () => {
    const { id } = await create()
    const first = await send([bug('One')])
    const next = first.lines[0].id + 1
    const answer = await send([
      points(id, 1),
      points(id, 2),
      points(id, 2),
      bug('Two'),
      bug('Three', { links: { links: [{ id: next, type: '' }] } }),
      points(next, 7),
    ])
    expect(answer.statuses).toEqual([200, 200, 200, 201, 201, 200])
    expect(answer.lines[2].etag).toBe(answer.lines[1].etag)
    expect(answer.done).toMatchObject({ succeeded: 5, unchanged: 1 })
    const { json } = await api.get(`/artifacts/${answer.lines[4].id}`, { as: TOM })
    const { links } = json.values.find(({ field_id }: { field_id: number }) => field_id === BUG.links)
    expect(links).toEqual([expect.objectContaining({ id: next })])
  })

  test('assigns numbers without gaps, and to its lines in the order of their ids, despite concurrent creations', async () => {
    const { api: other } = await startAnother()
    const [one, two, ...created] = await Promise.all([
      send(bugs(700), { as: TOM }),
      writeInBulk(other, BUGS, bugs(700), { as: UMA }),
      ...Array.from({ length: 20 }, () => create()),
    ])
    expect(created).toHaveLength(20)
    const { rows } = await sql<{ number: number; id: number }>`
      select number, id from artifact where tracker_id = ${BUGS} order by number`.execute(context.db)
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 1420 }, (_, at) => at + 1))
    for (const { lines } of [one, two]) {
      const ids = lines.map((line) => line.id)
      expect(rows.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids)
    }
    const { headers } = await api.get(`/trackers/${BUGS}/artifacts?limit=0`, { as: TOM })
    expect(headers['x-pagination-size']).toBe('1420')
  })

  test('never deadlocks with writers of the same artifacts in another order, or with a deletion', async () => {
    const before = await countDeadlocks(context.db)
    for (let round = 0; round < 10; round++) {
      const made = await Promise.all([create(), create(), create()])
      const ids = made.map(({ id }) => id)
      const lines = (value: number) => ids.map((id) => points(id, value))
      const answers = await Promise.all([
        send([...lines(1), bug('One')]),
        send([bug('Two'), ...lines(2).toReversed()], { as: UMA }),
        send(lines(3).toReversed(), { as: ADA }),
        ...ids.map((id) => api.delete(`/artifacts/${id}?dry_run=true`, { as: MARA })),
      ])
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    }
    expect(await countDeadlocks(context.db)).toBe(before)
  })

  test('of the wrong content type is refused before its first line', async () => {
    const body = JSON.stringify(bug('One'))
    const path = `/trackers/${BUGS}/artifacts/bulk`
    expect((await api.post(path, { body, headers: { 'content-type': 'application/x-ndjson' } })).status).toBe(401)
    expect((await api.post(path, { as: TOM, body })).status).toBe(415)
    expect((await send([bug('One')], { as: RITA })).status).toBe(404)
    expect((await writeInBulk(api, LEDGER, [bug('One')])).status).toBe(404)
    expect((await writeInBulk(api, MARSH_BUGS, [bug('One')])).status).toBe(404)
    expect((await writeInBulk(api, 999_999, [bug('One')])).status).toBe(404)
    expect(await titles()).toEqual([])
  })
})

describe('permissions', () => {
  test('are those of single writes, on each line', async () => {
    const { id } = await create('For members', MARA)
    const created = bug('One', { notes: { value: 'inside' } })
    const budget = { op: 'update', id, values: [{ field_id: BUG.budget, value: 5 }] }
    const lines = [created, bug('Two'), budget, points(id, 3)]
    const byMember = await send(lines)
    expect(byMember.reasons).toEqual([undefined, undefined, 'reference_unknown', undefined])
    const byStranger = await send(lines, { as: OLGA })
    const singles = [
      await api.post('/artifacts', { as: OLGA, body: { tracker: { id: BUGS }, ...bodyOf(created) } }),
      await api.post('/artifacts', { as: OLGA, body: { tracker: { id: BUGS }, ...bodyOf(bug('Two')) } }),
      await api.put(`/artifacts/${id}`, { as: OLGA, body: bodyOf(budget) }),
      await api.put(`/artifacts/${id}`, { as: OLGA, body: bodyOf(points(id, 3)) }),
    ]
    expect(byStranger.statuses).toEqual(singles.map(({ status }) => status))
    const byAdmin = await send([budget], { as: MARA })
    expect(byAdmin.statuses).toEqual([200])
  })

  test('that end between two batches stop the writing', async () => {
    const answering = send(bugs(1000), { as: GUS })
    // Closes the project as soon as the first batch is written.
    for (let count = 0; count === 0; ) {
      const { rows } = await sql<{ count: number }>`select count(*) from artifact`.execute(context.db)
      count = rows[0]?.count ?? 0
    }
    await sql`update project set access = 'private', rights_epoch = rights_epoch + 1 where id = ${ORCHARD}`.execute(
      context.db,
    )
    const { statuses } = await answering
    expect(new Set(statuses.slice(0, 500))).toEqual(new Set([201]))
    expect([...new Set(statuses)]).toEqual(statuses.includes(404) ? [201, 404] : [201])
    expect(statuses).toEqual(statuses.toSorted((one, other) => one - other)) // Nothing is written after the refusal.
  })

  test('of a suspended project refuse every line', async () => {
    await sql`update project set status = 'suspended', version = version + 1 where id = ${ORCHARD}`.execute(context.db)
    const answer = await send([bug('One'), bug('Two')], { as: ADA })
    expect(answer.lines.map(({ error }) => error?.details?.cause)).toEqual(['project_not_active', 'project_not_active'])
  })
})

describe('without notices', () => {
  test('only tracker administrators may write', async () => {
    expect((await send([bug('One')], { query: '?notify=false' })).status).toBe(403)
    expect((await send([bug('One')], { query: '?notify=true' })).statuses).toEqual([201])
    expect((await send([bug('Two')], { query: '?notify=false', as: UMA })).statuses).toEqual([201])
  })

  test('all resulting events are marked', async () => {
    const { id } = await create()
    const lines = [
      bug('One'),
      bug('Two', { links: { links: [], parent: { id } } }),
      points(id, 8),
      points(id, 9, { comment: { body: 'once more' } }),
    ]
    const answer = await send(lines, { query: '?notify=false', as: UMA })
    expect(answer.statuses).toEqual([201, 201, 200, 200])
    const events = (await eventsOf()).slice(1)
    expect(events.map(({ type, payload }) => [type, payload['silent']])).toEqual([
      ['artifact.created', true],
      ['artifact.created', true],
      ['artifact.updated', true],
      ['artifact.updated', true],
      ['artifact.updated', true],
    ])
    await send([bug('Loud')])
    expect((await eventsOf()).at(-1)?.payload).not.toHaveProperty('silent')
  })
})

describe('a dry run', () => {
  test('reports each line as the single dry run would, and writes nothing', async () => {
    const { id, etag } = await create()
    const lines = [
      bug('One', { assigned_to: { value: ['uma'] } }),
      points(id, 3, { if_match: etag }),
      bug(''),
      points(id, 3, { if_match: '"old"' }),
    ]
    const answer = await send(lines, { query: '?dry_run=true' })
    const body = { tracker: { id: BUGS }, ...bodyOf(bug('One', { assigned_to: { value: ['uma'] } })) }
    const single = await api.post('/artifacts?dry_run=true', { as: TOM, body })
    const { changes, rules, notified } = single.json.dry_run
    expect(answer.lines[0]).toEqual({ line: 1, status: 201, id: null, dry_run: { changes, rules, notified } })
    expect(notified).toEqual([expect.objectContaining({ user: { id: UMA.id, username: 'uma' } })])
    expect(answer.lines[1]).toMatchObject({
      status: 200,
      id,
      dry_run: { changes: [{ object: `artifacts/${id}`, op: 'update', fields: [{ name: 'points', after: 3 }] }] },
    })
    expect(answer.lines[1]).not.toHaveProperty('etag')
    expect(answer.statuses).toEqual([201, 200, 400, 412])
    expect(answer.done).toEqual({ lines: 4, succeeded: 2, unchanged: 0, failed: 2, stopped: false })
    expect(await titles()).toEqual(['Pump leaks'])
    const silent = await send(lines.slice(0, 1), { query: '?dry_run=true&notify=false', as: MARA })
    expect(silent.lines[0].dry_run.notified).toEqual([])
  })
})

describe('batches', () => {
  test('end after the first failure, if requested', async () => {
    const lines = [...bugs(499), bug(''), ...bugs(10, 'Later')]
    const answer = await send(lines, { query: '?stop_on_error=true' })
    expect(answer.done).toEqual({ lines: 500, succeeded: 499, unchanged: 0, failed: 1, stopped: true })
    expect(await titles()).toHaveLength(499)
  })

  test('are written once per idempotency key', async () => {
    const headers = { 'idempotency-key': 'k-1' }
    const lines = bugs(510)
    const first = await send(lines, { headers })
    clock.advance(1000)
    const again = await send(lines, { headers })
    expect(again.lines).toEqual(first.lines)
    expect(again.done).toEqual({ ...first.done, replayed: true })
    expect(await titles()).toHaveLength(510)
    const other = await send([...lines.slice(0, 509), bug('Other')], { headers })
    expect([...new Set(other.statuses.slice(500))]).toEqual([422])
    expect(await titles()).toHaveLength(510)
  })

  test('hold at most 10,000 lines of at most 1 MiB', async () => {
    const lines = bugs(10_001)
    const long = { ...bug('Long'), comment: { body: 'x'.repeat(1024 * 1024) } }
    const answer = await send([long, ...lines.slice(1)])
    expect([answer.statuses[0], answer.statuses[1], answer.statuses[9999], answer.statuses[10_000]]).toEqual([
      413, 201, 201, 413,
    ])
    expect(answer.done).toEqual({ lines: 10_001, succeeded: 9999, unchanged: 0, failed: 2, stopped: true })
  })
})

test('an update that is overtaken concurrently is retried and merged', async () => {
  const { id } = await create()
  const { id: second } = await create()
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      at % 2 === 0
        ? api.put(`/artifacts/${id}`, {
            as: UMA,
            body: { values: [{ field_id: BUG.summary, value: `By hand ${at}` }] },
          })
        : writeInBulk(api, BUGS, [points(id, at), points(second, at)], {
            as: [TOM, MARA, ADA, GUS][(at - 1) / 2] ?? TOM,
          }),
    ),
  )
  for (const answer of answers) expect(answer.status).toBe(200)
  const { json } = await api.get(`/artifacts/${id}/changesets?limit=50`, { as: TOM })
  expect(json.length).toBeGreaterThan(4)
})
