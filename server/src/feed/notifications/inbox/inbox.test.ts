import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { COMMENT_CANARY, FIELD_CANARIES } from '../../../../test/fixtures/canaries.ts'
import { startWorld } from '../../../../test/harness/start-world.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson, TOM, UMA } from '../../../../test/fixtures/people.ts'
import { LEADS, ORCHARD } from '../../../../test/fixtures/seed-ids.ts'
import { hidePumps, makePumps, type Pumps } from '../../../../test/fixtures/pumps.ts'
import { refused } from '../../../../test/harness/refused.ts'
import { JOBS } from '../../../jobs.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { enqueueJob } from '../../../platform/jobs/jobs.ts'
import { drainWorker, runJobs } from '../../../../test/harness/run-jobs.ts'

const { api, context, clock } = await startWorld()
let pumps: Pumps
let id: number
beforeEach(async () => {
  pumps = await makePumps(api)
  id = await pumps.create(MARA)
  await drainWorker(context)
  await watch(TOM)
})

const watch = (as: TestPerson, level = 'all', object = `artifacts/${id}`) =>
  api.put(`/${object}/watch`, { as, body: { level } })
const inbox = (as: TestPerson, query = '') => api.get(`/notifications${query}`, { as })
const unread = async (as: TestPerson) => (await inbox(as)).headers['x-notifications-unread']
const change = async (...details: string[]) => {
  for (const words of details) await pumps.change(OLGA, id, { details: words })
  await drainWorker(context)
}

describe('an entry of the inbox', () => {
  test('has the event, the reason and the current title', async () => {
    await pumps.change(OLGA, id, { summary: 'Pump drips', status: 'Closed' })
    await pumps.change(
      OLGA,
      id,
      { summary: 'Pump is dry' },
      { body: `**Done** ${'x'.repeat(300)}`, format: 'commonmark' },
    )
    await drainWorker(context)
    const { status, json } = await inbox(TOM)
    expect(status).toBe(200)
    expect(json).toMatchObject([
      {
        why: 'watch',
        object: `artifacts/${id}`,
        title: 'Pump is dry',
        is_read: false,
        on: '2026-03-01T09:30:00+00:00',
        event: {
          type: 'artifact.updated',
          version: 3,
          changed: ['summary'],
          actor: { id: OLGA.id },
          has_comment: true,
        },
      },
      { title: 'Pump is dry', excerpt: 'summary, status', event: { version: 2, has_comment: false } },
    ])
    expect(json[0].excerpt).toMatch(/^Done x+…$/)
    expect(json[0].excerpt).toHaveLength(200)
    expect(Number.isInteger(json[0].id)).toBe(true)
  })

  test('Z18 contains nothing that its reader may not read', async () => {
    await watch(UMA)
    await pumps.change(
      ADA,
      id,
      { details: 'x', for_leads: FIELD_CANARIES.leads.value },
      {
        body: COMMENT_CANARY,
        format: 'text',
        ugroups: [String(LEADS)],
      },
    )
    await drainWorker(context)
    expect((await inbox(UMA)).json[0]).toMatchObject({ excerpt: COMMENT_CANARY })
    expect((await inbox(TOM)).json[0]).toMatchObject({ excerpt: 'details', event: { changed: ['details'] } })
  })

  test('disappears with the permission to read its object, and is not counted', async () => {
    await change('x')
    expect(await unread(TOM)).toBe('1')
    await hidePumps(api, pumps)
    const { json, headers } = await inbox(TOM)
    expect([json, headers['x-notifications-unread'], headers['x-pagination-size']]).toEqual([[], '0', '0'])
  })

  test('disappears with its object, whose deletion is reported', async () => {
    await change('x')
    const [{ id: entry }] = (await inbox(TOM)).json
    await api.delete(`/artifacts/${id}`, { as: MARA })
    await drainWorker(context)
    expect((await inbox(TOM)).json).toMatchObject([{ event: { type: 'artifact.deleted' }, title: null }])
    expect(await api.patch(`/notifications/${entry}`, { as: TOM, body: { is_read: true } })).toMatchObject(
      refused(404, 'not_found'),
    )
  })

  test('is kept for 90 days', async () => {
    await change('x')
    clock.advance(89 * 86_400_000)
    expect((await inbox(TOM)).json).toHaveLength(1)
    clock.advance(2 * 86_400_000)
    expect((await inbox(TOM)).json).toEqual([])
    await inTransaction(context.db, (tx) => enqueueJob(tx, { type: 'clean_up', payload: {} }, null))
    await runJobs(context, JOBS)
    const { rows } = await sql`select from notification union all select from notified_event`.execute(context.db)
    expect(rows).toEqual([])
  })

  test('outlives its event in the feed', async () => {
    await change('x')
    await sql`delete from event`.execute(context.db)
    expect((await inbox(TOM)).json).toHaveLength(1)
  })
})

describe('the inbox', () => {
  test('is read page by page, newest first', async () => {
    await change('one', 'two', 'three')
    const first = await inbox(TOM, '?limit=2')
    expect(first.json.map((entry: { event: { version: number } }) => entry.event.version)).toEqual([4, 3])
    expect(first.headers['x-pagination-size']).toBe('3')
    const next = /[?&]cursor=([^&>]+)/.exec(String(first.headers.link))?.[1] ?? ''
    const second = await inbox(TOM, `?limit=2&cursor=${next}`)
    expect(second.json.map((entry: { event: { version: number } }) => entry.event.version)).toEqual([2])
  })

  test('reports which entries are read', async () => {
    await change('one', 'two', 'three')
    const entries = (await inbox(TOM)).json
    const mark = await api.patch(`/notifications/${entries[0].id}`, { as: TOM, body: { is_read: true } })
    expect([mark.status, mark.text]).toEqual([200, ''])
    expect(await unread(TOM)).toBe('2')
    const left = await inbox(TOM, '?unread=true')
    expect(left.json).toHaveLength(2)
    expect(left.headers['x-pagination-size']).toBe('2')
    await api.patch(`/notifications/${entries[0].id}`, { as: TOM, body: { is_read: false } })
    expect(await unread(TOM)).toBe('3')
  })

  test('is marked as read up to an entry, given as number or text', async () => {
    await change('one', 'two', 'three')
    const entries = (await inbox(TOM)).json
    const answer = await api.post('/notifications/read', { as: TOM, body: { until: String(entries[1].id) } })
    expect([answer.status, answer.json]).toEqual([200, { read: 2, ids: [entries[1].id, entries[2].id] }])
    expect(await unread(TOM)).toBe('1')
    const again = await api.post('/notifications/read', { as: TOM, body: { until: entries[0].id } })
    expect(again.json).toEqual({ read: 1, ids: [entries[0].id] })
    expect(await api.post('/notifications/read', { as: TOM, body: { until: 'soon' } })).toMatchObject({ status: 400 })
  })

  test('loses deleted entries', async () => {
    await change('one')
    const [entry] = (await inbox(TOM)).json
    const answer = await api.delete(`/notifications/${entry.id}`, { as: TOM })
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect((await inbox(TOM)).json).toEqual([])
    expect(await api.delete(`/notifications/${entry.id}`, { as: TOM })).toMatchObject(refused(404, 'not_found'))
  })

  test('Z31 is private: an entry of another account is not found', async () => {
    await change('one')
    const [entry] = (await inbox(TOM)).json
    for (const as of [MARA, ADA]) {
      const patch = await api.patch(`/notifications/${entry.id}`, { as, body: { is_read: true } })
      expect(patch).toMatchObject(refused(404, 'not_found'))
      expect(await api.delete(`/notifications/${entry.id}`, { as })).toMatchObject(refused(404, 'not_found'))
    }
    await api.post('/notifications/read', { as: ADA, body: { until: entry.id } })
    expect(await unread(TOM)).toBe('1')
    expect(await api.get('/notifications')).toMatchObject(refused(401, 'authentication_required'))
  })

  test('is erased with the account, as are watches, settings and mails', async () => {
    await watch(GUS)
    await api.patch('/users/self/notification_settings', { as: GUS, body: { mail: 'daily' } })
    await change('one')
    const { status } = await api.delete(`/users/${GUS.id}`, { as: ADA, body: { confirm: 'gus' } })
    expect(status).toBe(200)
    const { rows } = await sql`
      select from watch where account_id = ${GUS.id} union all select from notification where account_id = ${GUS.id}
      union all select from notification_setting where account_id = ${GUS.id}
      union all select from notice_mail where account_id = ${GUS.id}`.execute(context.db)
    expect(rows).toEqual([])
    await change('two')
    expect((await inbox(TOM)).json).toHaveLength(2)
  })
})

describe('a dry run', () => {
  test('reports who would be notified, how and why, and notifies no one', async () => {
    await watch(GUS, 'all', `trackers/${pumps.tracker.id}`)
    await watch(UMA, 'status', `projects/${ORCHARD}`)
    await api.patch('/users/self/notification_settings', { as: GUS, body: { mail: 'off' } })
    const body = { values_by_field: { status: 'Closed' }, comment: { body: '@victor', format: 'text' } }
    const { json } = await api.put(`/artifacts/${id}?dry_run=true`, { as: OLGA, body })
    const notified = json.dry_run.notified.map(
      ({ user, channel, why }: { user: { username: string }; channel: string; why: string }) =>
        `${user.username} ${channel} ${why}`,
    )
    expect(notified.toSorted()).toEqual([
      'gus inbox watches_tracker',
      'mara mail submitted',
      'tom mail watches_artifact',
      'uma mail watches_project',
      'victor mail mentioned',
    ])
    await drainWorker(context)
    expect((await inbox(TOM)).json).toEqual([])
  })

  test('lists no one whom the creation would not notify', async () => {
    const body = { tracker: { id: pumps.tracker.id }, values_by_field: { summary: 'New', assigned_to: ['uma'] } }
    const { json } = await api.post('/artifacts?dry_run=true', { as: OLGA, body })
    expect(json.dry_run.notified).toEqual([{ user: { id: UMA.id, username: 'uma' }, channel: 'mail', why: 'assigned' }])
  })
})
