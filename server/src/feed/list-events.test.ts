import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { pollEventsAfter, openStream, currentFeedCursor, type ReceivedEvent } from '../../test/harness/event-stream.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM } from '../../test/fixtures/people.ts'
import { BUG_STATUS, BUGS, LEDGER, ORCHARD, VAULT } from '../../test/fixtures/seed-ids.ts'
import { refused } from '../../test/harness/refused.ts'
import { runJobs } from '../../test/harness/run-jobs.ts'
import { inTransaction } from '../platform/database/db.ts'
import { enqueueJob } from '../platform/jobs/jobs.ts'
import { beginFeedEpoch } from '../platform/database/feed-epoch.ts'

const { api, context, clock } = await startWorld()
let start: string
beforeEach(async () => {
  start = await currentFeedCursor(api)
})

const get = (query: string, as?: TestPerson) => api.get(`/events?${query}`, as && { as })
const write = async (message: string, as: TestPerson = MARA) => {
  const { status } = await api.put(`/projects/${ORCHARD}/banner`, { as, body: { message } })
  expect(status).toBe(200)
}
const plant = async (summary: string, as: TestPerson = TOM): Promise<number> => {
  const body = { tracker: { id: BUGS }, values_by_field: { summary: { value: summary } } }
  const { status, json } = await api.post('/artifacts', { as, body })
  expect(status).toBe(201)
  return json.id
}
const count = (wanted: number) => (events: readonly unknown[]) => events.length >= wanted
const objects = (events: readonly ReceivedEvent[]) => events.map(({ object }) => object)

describe('an event', () => {
  test('has its type, object, time and actor', async () => {
    const id = await plant('It leaks')
    const [event] = await pollEventsAfter(api, start, count(1), { as: OLGA })
    expect(event).toEqual({
      id: expect.stringMatching(/^[0-9a-f]+\.[0-9a-f]+$/),
      type: 'artifact.created',
      on: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      object: `artifacts/${id}`,
      project: { id: ORCHARD },
      tracker: { id: BUGS },
      actor: { id: TOM.id, username: 'tom' },
      version: 1,
      changed: expect.arrayContaining(['summary']),
      has_comment: false,
      silent: false,
      client_uuid: null,
      request_id: null,
    })
  })

  test('names its request and tab only to the account that made the change', async () => {
    const headers = { 'x-request-id': 'mine-1', 'x-client-uuid': 'tab-1' }
    await api.put(`/projects/${ORCHARD}/banner`, { as: MARA, headers, body: { message: 'Harvest' } })
    const [mine] = await pollEventsAfter(api, start, count(1), { as: MARA })
    const [other] = await pollEventsAfter(api, start, count(1), { as: ADA })
    expect(mine).toMatchObject({ request_id: 'mine-1', client_uuid: 'tab-1', changed: ['banner'] })
    expect(other).toMatchObject({ request_id: null, client_uuid: null, changed: ['banner'] })
  })

  test('has both values of a status change', async () => {
    const id = await plant('It leaks')
    const values = [{ field_id: 7104, bind_value_ids: [BUG_STATUS.fixed] }]
    expect((await api.put(`/artifacts/${id}`, { as: TOM, body: { values } })).status).toBe(200)
    const events = await pollEventsAfter(api, start, count(2), { as: OLGA })
    expect(events[1]).toMatchObject({
      type: 'artifact.updated',
      version: 2,
      changed: ['status'],
      transition: { to: BUG_STATUS.fixed },
    })
  })

  test('is not recorded by dry runs and refused requests', async () => {
    const body = { message: 'Never' }
    await api.put(`/projects/${ORCHARD}/banner?dry_run=true`, { as: MARA, body })
    await api.put(`/projects/${ORCHARD}/banner`, { as: TOM, body })
    await write('Once')
    expect(await pollEventsAfter(api, start, count(1), { as: MARA })).toHaveLength(1)
  })

  test('is available as XML', async () => {
    await write('Harvest')
    await pollEventsAfter(api, start, count(1))
    const { text } = await api.get(`/events.xml?after=${start}`)
    expect(text).toContain('<type>project.changed</type>')
  })
})

describe('pages', () => {
  test('follow each other by `next`, without a gap and without a repetition', async () => {
    for (const message of ['1', '2', '3', '4', '5']) await write(message)
    const all = await pollEventsAfter(api, start, count(5))
    const read: ReceivedEvent[] = []
    let [place, more] = [start, true]
    while (more) {
      const { json } = await get(`after=${place}&limit=2`)
      read.push(...json.events)
      expect(json.events.length).toBe(json.has_more ? 2 : 1)
      ;[place, more] = [json.next, json.has_more]
    }
    expect(read).toEqual(all)
    expect((await get(`after=${place}`)).json).toMatchObject({ events: [], has_more: false })
  })

  test('continue after any event by its id', async () => {
    for (const message of ['1', '2', '3']) await write(message)
    const [first, ...others] = await pollEventsAfter(api, start, count(3))
    expect((await get(`after=${first.id}`)).json.events).toEqual(others)
  })

  test('start with the oldest retained event if no cursor is given', async () => {
    await write('Harvest')
    const [event] = await pollEventsAfter(api, start, count(1))
    const ids: string[] = []
    for (let [place, more] = ['', true]; more; ) {
      const { json } = await get(`limit=1000${place}`)
      ids.push(...json.events.map(({ id }: { id: string }) => id))
      ;[place, more] = [`&after=${json.next}`, json.has_more]
    }
    expect(ids.at(-1)).toBe(event.id)
  })

  test('are full for a viewer who sees few events, and report exactly whether there is more', async () => {
    await sql`insert into event (type, object, project_id) select 'project.changed', 'projects/2002', ${VAULT}
      from generate_series(1, 2500)`.execute(context.db)
    await write('1')
    await write('2')
    await pollEventsAfter(api, start, count(2), { as: OLGA })
    expect((await get(`after=${start}&limit=2`, OLGA)).json).toMatchObject({ events: [{}, {}], has_more: false })
    expect((await get(`after=${start}&limit=1`, OLGA)).json).toMatchObject({ events: [{}], has_more: true })
  })

  test('have no total size, and no headers that would reveal one', async () => {
    const { headers } = await get('limit=1')
    expect(Object.keys(headers).filter((name) => name.startsWith('x-pagination'))).toEqual([])
  })

  test.each(['limit=0', 'limit=1001'])('refuse %s', async (query) => {
    expect(await get(query)).toMatchObject(refused(400, 'parameter_out_of_range', { path: 'limit' }))
  })
})

describe('a filter', () => {
  test('by types takes names and prefixes', async () => {
    await write('Harvest')
    const id = await plant('It leaks')
    await api.delete(`/artifacts/${id}`, { as: MARA })
    const types = async (given: string) =>
      (await pollEventsAfter(api, start, count(1), { as: MARA, query: `&types=${given}` })).map(({ type }) => type)
    await pollEventsAfter(api, start, count(3), { as: MARA })
    expect(await types('artifact.*')).toEqual(['artifact.created', 'artifact.deleted'])
    expect(await types('project.changed,%20artifact.deleted')).toEqual(['project.changed', 'artifact.deleted'])
  })

  test.each(['artifact.eaten', 'apple.*', 'artifact.created,', '*.created'])('refuses the type %s', async (given) => {
    const allowed = expect.arrayContaining(['artifact.created', 'rights.changed'])
    expect(await get(`types=${encodeURIComponent(given)}`)).toMatchObject(
      refused(400, 'parameter_not_allowed', { path: 'types', allowed }),
    )
  })

  test('by project and tracker omits other events', async () => {
    await write('Harvest')
    const id = await plant('It leaks')
    await api.patch(`/projects/${VAULT}`, { as: ADA, body: { status: 'suspended' } })
    const inProject = await pollEventsAfter(api, start, count(2), { as: ADA, query: `&project=${ORCHARD}` })
    const inTracker = await pollEventsAfter(api, start, count(1), { as: ADA, query: `&tracker=${BUGS}` })
    expect(objects(inProject)).toEqual([`projects/${ORCHARD}`, `artifacts/${id}`])
    expect(objects(inTracker)).toEqual([`artifacts/${id}`])
  })

  test.each([
    ['project', VAULT],
    ['project', 2999],
    ['project', -1],
    ['tracker', LEDGER],
    ['tracker', 7999],
  ])('by a %s that the caller does not see is an unknown reference: %i', async (path, id) => {
    for (const as of [TOM, undefined])
      expect(await get(`${path}=${id}`, as)).toMatchObject(refused(400, 'reference_unknown', { path }))
  })
})

describe('a cursor', () => {
  test.each(['garbage', '-1', 'now2', '1.', 'e1.5F', 'e1.5f2a.88.1', 'e1.5F2A.88', 'e1.5f2a.', "'; drop table event"])(
    'that is malformed is refused: %s',
    async (after) => {
      expect(await get(`after=${encodeURIComponent(after)}`)).toMatchObject(
        refused(400, 'parameter_invalid', { path: 'after' }),
      )
    },
  )

  test('from before a restore has expired', async () => {
    await beginFeedEpoch(context.db)
    expect(await get(`after=${start}`)).toMatchObject(refused(410, 'cursor_expired'))
    expect((await get(`after=${await currentFeedCursor(api)}`)).status).toBe(200)
  })

  test('ahead of the horizon has expired, because the database has lost events', async () => {
    const [epoch] = start.split('.')
    for (const place of ['ffffffffffff', 'ffffffffffff.1'])
      expect(await get(`after=${epoch}.${place}`)).toMatchObject(refused(410, 'cursor_expired'))
  })

  test('of the previous version, by transaction and id, continues before its first unread event', async () => {
    await write('1')
    await write('2')
    const events = await pollEventsAfter(api, start, count(2))
    const [epoch] = start.split('.')
    const { rows } = await sql<{ place: string; before: string }>`
      select to_hex(xid::text::bigint) || '.' || to_hex(id) as place, to_hex(xid::text::bigint) || '.0' as before
      from event where object = ${`projects/${ORCHARD}`} order by id desc limit 2`.execute(context.db)
    const after = async (place: string | undefined) => (await get(`after=${epoch}.${place}`)).json.events
    expect(await after(rows[0]?.place)).toEqual([])
    expect(await after(rows[1]?.place)).toEqual(events.slice(1))
    expect(await after(rows[1]?.before)).toEqual(events)
    const stream = await openStream(api, '/events', { headers: { 'last-event-id': `${epoch}.${rows[1]?.place}` } })
    const frames = await stream.until((sent) => sent.some(({ event }) => event === 'project.changed'))
    expect(frames[0]).toMatchObject({ id: events[1]?.id })
    stream.close()
  })

  test('of the previous version skips nothing where the positions have another order', async () => {
    const patient = await context.db.startTransaction().execute()
    await sql`select pg_current_xact_id()`.execute(patient)
    await write('1')
    const [first] = await pollEventsAfter(api, start, count(1))
    const insert = sql`insert into event (type, object, project_id, payload, xid)
      values ('project.changed', ${`projects/${ORCHARD}`}, ${ORCHARD}, '{"changed":["banner"]}', pg_current_xact_id())`
    await insert.execute(patient)
    await patient.commit().execute()
    await pollEventsAfter(api, start, count(2))
    const [epoch] = start.split('.')
    const { rows } = await sql<{ place: string }>`select to_hex(xid::text::bigint) || '.' || to_hex(id) as place
      from event where object = ${`projects/${ORCHARD}`} order by xid desc, id desc limit 2`.execute(context.db)
    const [last, early] = rows
    expect((await get(`after=${epoch}.${last?.place}`)).json.events).toEqual([])
    // It has read only the event that is second by position: that one is repeated, and the first is not skipped.
    const { json } = await get(`after=${epoch}.${early?.place}`)
    expect(json.events).toHaveLength(2)
    expect(json.events[0]).toEqual(first)
  })

  test('older than the retained events has expired, and no other', async () => {
    await write('1')
    await write('2')
    const [first, second] = await pollEventsAfter(api, start, count(2))
    await age(first, 91)
    await cleanUp()
    expect(await get(`after=${start}`)).toMatchObject(refused(410, 'cursor_expired'))
    expect((await get(`after=${first.id}`)).json.events).toEqual([second])
    expect((await get('')).json.events).toContainEqual(second)
    expect(objects((await get('')).json.events)).not.toContain(first)
  })

  test('stays valid for as long as the setting says', async () => {
    await write('1')
    const [first] = await pollEventsAfter(api, start, count(1))
    await age(first, 91)
    await api.patch('/settings', { as: ADA, body: { event_retention_days: 92 } })
    await cleanUp()
    expect((await get(`after=${start}`)).json.events).toMatchObject([{ id: first.id }])
    await api.patch('/settings', { as: ADA, body: { event_retention_days: 90 } })
    await cleanUp()
    expect(await get(`after=${start}`)).toMatchObject(refused(410, 'cursor_expired'))
  })
})

/** The feed uses the clock of the database, which tests cannot change. */
async function age({ id }: ReceivedEvent, days: number): Promise<void> {
  const position = Number.parseInt(String(id).split('.')[1] ?? '', 16)
  await sql`update event set "on" = ${new Date(Date.now() - days * 86_400_000)}
    where id in (select event_id from event_position where position <= ${position})`.execute(context.db)
}

async function cleanUp(): Promise<void> {
  clock.set(new Date())
  await inTransaction(context.db, (tx) => enqueueJob(tx, { type: 'clean_up', payload: {} }, null))
  await runJobs(context)
}
