import { beforeEach, describe, expect, test } from 'vitest'
import { writeInBulk } from '../../../../test/fixtures/bulk.ts'
import { COMMENT_CANARY } from '../../../../test/fixtures/canaries.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM, UMA } from '../../../../test/fixtures/people.ts'
import { hidePumps, makePumps, type Pumps } from '../../../../test/fixtures/pumps.ts'
import { LEADS, ORCHARD, VAULT } from '../../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../../test/harness/refused.ts'
import { drainWorker } from '../../../../test/harness/run-jobs.ts'
import { startWorld } from '../../../../test/harness/start-world.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { cleanNotifications } from '../clean-notifications.ts'

const { api, context, clock } = await startWorld()
let pumps: Pumps
let id: number
beforeEach(async () => {
  pumps = await makePumps(api)
  id = await pumps.create(MARA)
  await drainWorker(context)
  await watch(TOM)
})

const watch = (as: TestPerson, object = `artifacts/${id}`) =>
  api.put(`/${object}/watch`, { as, body: { level: 'all' } })
const threads = (as: TestPerson, query = '') => api.get(`/notifications/threads${query}`, { as })
const flat = async (as: TestPerson) => (await api.get('/notifications', { as })).json
const mark = (as: TestPerson, ids: readonly number[], is_read = true) =>
  api.patch('/notifications', { as, body: { ids, is_read } })
const snooze = (as: TestPerson, ids: readonly number[], snoozed_until: string | null) =>
  api.patch('/notifications', { as, body: { ids, snoozed_until } })
const inHours = (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000).toISOString()
const say = (as: TestPerson, body: string, more: object = {}) =>
  pumps.change(as, id, {}, { body, format: 'text', ...more })
const settle = () => drainWorker(context)
const setAll = (as: TestPerson, ids: readonly number[], values: object) =>
  writeInBulk(
    api,
    pumps.tracker.id,
    ids.map((each) => ({ op: 'update', id: each, values_by_field: values })),
    { as },
  )
async function createSeveral(count: number): Promise<number[]> {
  const made: number[] = []
  while (made.length < count) made.push(await pumps.create(TOM, { summary: `Pump ${made.length}` }))
  await settle()
  return made
}

describe('a thread of the inbox', () => {
  test('has all entries about one artifact, its people, and the newest entry', async () => {
    await pumps.change(OLGA, id, { details: 'x' })
    await say(UMA, 'I have a look.')
    await pumps.change(OLGA, id, { summary: 'Pump is dry' })
    await settle()
    const entries = (await flat(TOM)).map((entry: { id: number }) => entry.id)
    const { status, json, headers } = await threads(TOM)
    expect(status).toBe(200)
    expect(json).toMatchObject([
      {
        id: entries[0],
        entries,
        why: 'watch',
        is_read: false,
        objects: [`artifacts/${id}`],
        object_count: 1,
        people: [{ id: OLGA.id, avatar_url: expect.any(String) }, { id: UMA.id }],
        latest: { kind: 'changed', title: 'Pump is dry', xref: `pump #${id}`, project: { label: 'Orchard' } },
      },
    ])
    expect([headers['x-notifications-unread'], headers['x-pagination-size']]).toEqual(['1', '1'])
  })

  test.each([
    ['commented', () => say(OLGA, 'Looks fine.')],
    ['mention', () => say(OLGA, '@tom, look.')],
    ['changed', () => pumps.change(OLGA, id, { details: 'x' }, { body: '', format: 'text' })],
    ['closed', () => pumps.change(OLGA, id, { status: 'Closed' }, { body: 'Done.', format: 'text' })],
    ['assigned', () => pumps.change(OLGA, id, { assigned_to: { value: ['tom'] } })],
    ['deleted', () => api.delete(`/artifacts/${id}`, { as: MARA })],
  ])('says what happened: %s', async (kind, happen) => {
    await pumps.change(MARA, id, { status: 'Open' })
    await settle()
    await happen()
    await settle()
    expect((await threads(TOM)).json[0].latest.kind).toBe(kind)
  })

  test('says from which status to which other one it was changed', async () => {
    await pumps.change(MARA, id, { status: 'Open' })
    await pumps.change(OLGA, id, { status: 'Closed' })
    await settle()
    const { status_change: change } = (await threads(TOM)).json[0].latest
    expect(change).toMatchObject({ label: 'status', from: { value: 'Open' }, to: { value: 'Closed' } })
    await pumps.change(OLGA, id, { details: 'x' })
    await settle()
    expect((await threads(TOM)).json[0].latest.status_change).toBeNull()
  })

  test('of a deleted artifact has neither its title nor its reference', async () => {
    await api.delete(`/artifacts/${id}`, { as: MARA })
    await settle()
    const { json } = await threads(TOM)
    expect(json).toMatchObject([{ objects: [`artifacts/${id}`], latest: { title: null, xref: null, excerpt: '' } }])
  })

  test('keeps the strongest reason of its unread entries', async () => {
    await say(OLGA, '@tom, look.')
    await pumps.change(OLGA, id, { details: 'x' })
    await settle()
    expect((await threads(TOM)).json).toMatchObject([{ why: 'mention', latest: { why: 'watch' } }])
    const mention = (await flat(TOM)).find((entry: { why: string }) => entry.why === 'mention')
    await mark(TOM, [mention.id])
    expect((await threads(TOM)).json).toMatchObject([{ why: 'watch', is_read: false }])
  })

  test('Z18 shows no comment that its reader may not read', async () => {
    await watch(UMA)
    await say(ADA, COMMENT_CANARY, { ugroups: [String(LEADS)] })
    await pumps.change(ADA, id, { details: 'x' }, { body: COMMENT_CANARY, format: 'text', ugroups: [String(LEADS)] })
    await settle()
    expect((await threads(UMA)).text).toContain(COMMENT_CANARY)
    const { text, json } = await threads(TOM)
    expect(text).not.toContain(COMMENT_CANARY)
    expect(json).toMatchObject([{ latest: { kind: 'changed', excerpt: 'details' } }])
  })

  test('Z04 disappears with the permission to read its object, and is not counted', async () => {
    await say(OLGA, 'Looks fine.')
    await settle()
    await hidePumps(api, pumps)
    const { json, headers } = await threads(TOM)
    expect([json, headers['x-notifications-unread'], headers['x-pagination-size']]).toEqual([[], '0', '0'])
  })
})

describe('a bulk write', () => {
  test('of five artifacts is one thread, of four it is four', async () => {
    const made = await createSeveral(5)
    await setAll(OLGA, made, { details: 'x' })
    await settle()
    const { json } = await threads(TOM)
    expect(json).toMatchObject([{ object_count: 5, people: [{ id: OLGA.id }] }])
    expect(json[0].objects.toSorted()).toEqual(made.map((each) => `artifacts/${each}`).toSorted())
    await setAll(OLGA, made.slice(1), { details: 'y' })
    await settle()
    const counts = (await threads(TOM)).json.map((thread: { object_count: number }) => thread.object_count)
    expect(counts).toEqual([1, 1, 1, 1, 5])
  })

  test('counts only artifacts that the reader may still see', async () => {
    const made = await createSeveral(5)
    await setAll(OLGA, made, { details: 'x' })
    await settle()
    await api.delete(`/artifacts/${made[0]}`, { as: MARA })
    const counts = (await threads(TOM)).json.map((thread: { object_count: number }) => thread.object_count)
    expect(counts).toEqual([1, 1, 1, 1])
  })
})

describe('threads', () => {
  test('are filtered by unread and by reason, and read page by page', async () => {
    const [one = 0, two = 0] = await createSeveral(2)
    await pumps.change(OLGA, one, { details: 'x' }, { body: '@tom', format: 'text' })
    await pumps.change(OLGA, two, { details: 'x' })
    await say(OLGA, 'Looks fine.')
    await settle()
    const idsOf = async (query: string) =>
      (await threads(TOM, query)).json.map((thread: { objects: string[] }) => Number(thread.objects[0]?.split('/')[1]))
    expect(await idsOf('')).toEqual([id, two, one])
    expect(await idsOf('?why=mention')).toEqual([one])
    expect(await idsOf('?why=submitted')).toEqual([two])
    const first = await threads(TOM, '?limit=2')
    const next = /[?&]cursor=([^&>]+)/.exec(String(first.headers.link))?.[1] ?? ''
    expect(await idsOf(`?limit=2&cursor=${next}`)).toEqual([one])
    await mark(TOM, first.json[0].entries)
    const unread = await threads(TOM, '?unread=true')
    expect([unread.json.length, unread.headers['x-notifications-unread']]).toEqual([2, '2'])
    expect(await threads(TOM, '?why=fun')).toMatchObject(refused(400, 'parameter_not_allowed'))
  })

  test('are marked by their entries, and the changed ones are reported, for undo', async () => {
    await pumps.change(OLGA, id, { details: 'x' })
    await say(OLGA, 'Looks fine.')
    await settle()
    const [{ entries }] = (await threads(TOM)).json
    await mark(TOM, [entries[1]])
    const answer = await mark(TOM, entries)
    expect([answer.status, answer.json]).toEqual([200, { changed: [entries[0]] }])
    expect((await threads(TOM)).json).toMatchObject([{ is_read: true }])
    await mark(TOM, answer.json.changed, false)
    expect((await flat(TOM)).map((entry: { is_read: boolean }) => entry.is_read)).toEqual([false, true])
    expect((await mark(TOM, [])).json).toEqual({ changed: [] })
  })

  test('are filtered by project', async () => {
    await say(OLGA, 'Looks fine.')
    await settle()
    expect((await threads(TOM, `?project=${ORCHARD}`)).json).toHaveLength(1)
    expect((await threads(TOM, `?project=${VAULT}`)).json).toEqual([])
  })

  test('Z31 are private: others do not see them, and cannot mark their entries', async () => {
    await say(OLGA, 'Looks fine.')
    await settle()
    const [{ entries }] = (await threads(TOM)).json
    expect((await threads(ADA)).json).toEqual([])
    expect((await mark(ADA, entries)).json).toEqual({ changed: [] })
    expect((await threads(TOM)).json).toMatchObject([{ is_read: false }])
    expect(await api.get('/notifications/threads')).toMatchObject(refused(401, 'authentication_required'))
  })
})

describe('a snoozed thread', () => {
  let other: number
  beforeEach(async () => {
    await say(OLGA, 'Looks fine.')
    await settle()
    clock.advance(1000)
    other = await pumps.create(TOM)
    await pumps.change(OLGA, other, { details: 'x' })
    await settle()
  })
  const entriesOf = async (artifact: number): Promise<number[]> =>
    (await threads(TOM)).json.find(({ objects }: { objects: string[] }) => objects.includes(`artifacts/${artifact}`))
      .entries
  const shown = async (query = '') => {
    const { json, headers } = await threads(TOM, query)
    const artifacts = json.map(({ objects }: { objects: string[] }) => Number(objects[0]?.split('/')[1]))
    return [artifacts, headers['x-notifications-unread'], headers['x-pagination-size']]
  }

  test('is hidden and not counted, and comes back by itself as the first one, unread', async () => {
    const entries = await entriesOf(id)
    await mark(TOM, entries)
    const until = inHours(3)
    const answer = await snooze(TOM, entries, until)
    expect([answer.status, answer.json]).toEqual([200, { changed: entries }])
    expect(await shown()).toEqual([[other], '1', '1'])
    expect(await shown('?snoozed=true')).toEqual([[id], '1', '1'])
    const [{ is_read, latest }] = (await threads(TOM, '?snoozed=true')).json
    expect([is_read, Date.parse(latest.snoozed_until)]).toEqual([false, Math.trunc(Date.parse(until) / 1000) * 1000])
    expect((await api.get('/notifications', { as: TOM })).headers['x-notifications-unread']).toBe('1')
    await api.post('/notifications/read', { as: TOM, body: { until: 1_000_000_000 } })
    expect(await shown()).toEqual([[other], '0', '1'])

    clock.advance(3 * 3_600_000)
    expect(await shown()).toEqual([[id, other], '1', '2'])
    expect(await shown('?snoozed=true')).toEqual([[], '1', '0'])
    expect((await threads(TOM)).json[0]).toMatchObject({ is_read: false, latest: { snoozed_until: null } })
    const first = await threads(TOM, '?limit=1')
    const next = /[?&]cursor=([^&>]+)/.exec(String(first.headers.link))?.[1] ?? ''
    expect(await shown(`?limit=1&cursor=${next}`)).toEqual([[other], '1', '2'])
  })

  test('comes back when something new happens', async () => {
    await snooze(TOM, await entriesOf(id), inHours(3))
    await say(OLGA, '@tom, it leaks again.')
    await settle()
    expect(await shown()).toEqual([[id, other], '2', '2'])
    expect((await threads(TOM)).json[0].entries).toHaveLength(2)
  })

  test('is shown again at once, for undo', async () => {
    const entries = await entriesOf(other)
    await snooze(TOM, entries, inHours(3))
    expect((await snooze(TOM, entries, null)).json).toEqual({ changed: entries })
    expect(await shown()).toEqual([[other, id], '2', '2'])
  })

  test('is not deleted before it has come back', async () => {
    const entries = await entriesOf(id)
    await snooze(TOM, entries, inHours(24 * 100))
    clock.advance(95 * 24 * 3_600_000)
    await inTransaction(context.db, (tx) => cleanNotifications(tx, context, clock.now()))
    expect(await shown()).toEqual([[], '0', '0'])
    clock.advance(5 * 24 * 3_600_000)
    expect(await shown()).toEqual([[id], '1', '1'])
  })

  test.each([
    [{ snoozed_until: '2026-01-01T00:00:00' }, 'parameter_invalid'],
    [{ snoozed_until: 'tomorrow' }, 'parameter_invalid'],
    [{ snoozed_until: '2001-01-01T00:00:00Z' }, 'date_in_past'],
    [{ snoozed_until: '2199-01-01T00:00:00Z' }, 'parameter_out_of_range'],
    [{}, 'parameter_required'],
  ])('is refused with %j', async (body, reason) => {
    const ids = await entriesOf(id)
    expect(await api.patch('/notifications', { as: TOM, body: { ids, ...body } })).toMatchObject(refused(400, reason))
    expect(await shown()).toEqual([[other, id], '2', '2'])
  })
})
