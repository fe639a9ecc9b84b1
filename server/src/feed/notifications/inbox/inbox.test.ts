import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { COMMENT_CANARY, FIELD_CANARIES } from '../../../../test/canaries.ts'
import { startWorld } from '../../../../test/harness.ts'
import { ADA, GUS, MARA, OLGA, type Person, TOM, UMA } from '../../../../test/people.ts'
import { LEADS, ORCHARD } from '../../../../test/places.ts'
import { hidePumps, makePumps, type Pumps } from '../../../../test/pumps.ts'
import { refused } from '../../../../test/refused.ts'
import { workOffFeed } from '../../../../test/settle-feed.ts'
import { JOBS } from '../../../jobs.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { enqueueJob } from '../../../platform/jobs/jobs.ts'
import { runJobs } from '../../../../test/run-jobs.ts'

const { api, context, clock } = await startWorld()
let pumps: Pumps
let id: number
beforeEach(async () => {
  pumps = await makePumps(api)
  id = await pumps.create(MARA)
  await workOffFeed(context)
  await watch(TOM)
})

const watch = (as: Person, level = 'all', object = `artifacts/${id}`) =>
  api.put(`/${object}/watch`, { as, body: { level } })
const inbox = (as: Person, query = '') => api.get(`/notifications${query}`, { as })
const unread = async (as: Person) => (await inbox(as)).headers['x-notifications-unread']
const change = async (...details: string[]) => {
  for (const words of details) await pumps.change(OLGA, id, { details: words })
  await workOffFeed(context)
}

describe('an entry of the inbox', () => {
  test('says what happened, why one is told, and how it is called now', async () => {
    await pumps.change(OLGA, id, { summary: 'Pump drips', status: 'Closed' })
    await pumps.change(
      OLGA,
      id,
      { summary: 'Pump is dry' },
      { body: `**Done** ${'x'.repeat(300)}`, format: 'commonmark' },
    )
    await workOffFeed(context)
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

  test('Z18 holds nothing that its reader may not read', async () => {
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
    await workOffFeed(context)
    expect((await inbox(UMA)).json[0]).toMatchObject({ excerpt: COMMENT_CANARY })
    expect((await inbox(TOM)).json[0]).toMatchObject({ excerpt: 'details', event: { changed: ['details'] } })
  })

  test('disappears with the right to read its object, and is not counted', async () => {
    await change('x')
    expect(await unread(TOM)).toBe('1')
    await hidePumps(api, pumps)
    const { json, headers } = await inbox(TOM)
    expect([json, headers['x-notifications-unread'], headers['x-pagination-size']]).toEqual([[], '0', '0'])
  })

  test('disappears with its object, of whose deletion one is told', async () => {
    await change('x')
    const [{ id: entry }] = (await inbox(TOM)).json
    await api.delete(`/artifacts/${id}`, { as: MARA })
    await workOffFeed(context)
    expect((await inbox(TOM)).json).toMatchObject([{ event: { type: 'artifact.deleted' }, title: null }])
    expect(await api.patch(`/notifications/${entry}`, { as: TOM, body: { is_read: true } })).toMatchObject(
      refused(404, 'not_found'),
    )
  })

  test('is kept 90 days', async () => {
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
  test('is read page by page, the newest first', async () => {
    await change('one', 'two', 'three')
    const first = await inbox(TOM, '?limit=2')
    expect(first.json.map((entry: { event: { version: number } }) => entry.event.version)).toEqual([4, 3])
    expect(first.headers['x-pagination-size']).toBe('3')
    const next = /[?&]cursor=([^&>]+)/.exec(String(first.headers.link))?.[1] ?? ''
    const second = await inbox(TOM, `?limit=2&cursor=${next}`)
    expect(second.json.map((entry: { event: { version: number } }) => entry.event.version)).toEqual([2])
  })

  test('knows what is read', async () => {
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

  test('is read up to an entry, named by number or text', async () => {
    await change('one', 'two', 'three')
    const entries = (await inbox(TOM)).json
    const answer = await api.post('/notifications/read', { as: TOM, body: { until: String(entries[1].id) } })
    expect([answer.status, answer.json]).toEqual([200, { read: 2 }])
    expect(await unread(TOM)).toBe('1')
    const again = await api.post('/notifications/read', { as: TOM, body: { until: entries[0].id } })
    expect(again.json).toEqual({ read: 1 })
    expect(await api.post('/notifications/read', { as: TOM, body: { until: 'soon' } })).toMatchObject({ status: 400 })
  })

  test('loses what is deleted', async () => {
    await change('one')
    const [entry] = (await inbox(TOM)).json
    const answer = await api.delete(`/notifications/${entry.id}`, { as: TOM })
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect((await inbox(TOM)).json).toEqual([])
    expect(await api.delete(`/notifications/${entry.id}`, { as: TOM })).toMatchObject(refused(404, 'not_found'))
  })

  test('Z31 is nobody else’s: another’s entry is as unknown as any', async () => {
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

  test('goes with the person who is erased, as do watches, settings and mails', async () => {
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
  test('says who would be told, by which way and why, and tells nobody', async () => {
    await watch(GUS, 'all', `trackers/${pumps.tracker.id}`)
    await watch(UMA, 'status', `projects/${ORCHARD}`)
    await api.patch('/users/self/notification_settings', { as: GUS, body: { mail: 'off' } })
    const body = { values_by_field: { status: 'Closed' }, comment: { body: '@victor', format: 'text' } }
    const { json } = await api.put(`/artifacts/${id}?dry_run=true`, { as: OLGA, body })
    const told = json.dry_run.notified.map(
      ({ user, channel, why }: { user: { username: string }; channel: string; why: string }) =>
        `${user.username} ${channel} ${why}`,
    )
    expect(told.toSorted()).toEqual([
      'gus inbox watches_tracker',
      'mara mail submitted',
      'tom mail watches_artifact',
      'uma mail watches_project',
      'victor mail mentioned',
    ])
    await workOffFeed(context)
    expect((await inbox(TOM)).json).toEqual([])
  })

  test('names nobody for a creation whom the creation would not tell', async () => {
    const body = { tracker: { id: pumps.tracker.id }, values_by_field: { summary: 'New', assigned_to: ['uma'] } }
    const { json } = await api.post('/artifacts?dry_run=true', { as: OLGA, body })
    expect(json.dry_run.notified).toEqual([{ user: { id: UMA.id, username: 'uma' }, channel: 'mail', why: 'assigned' }])
  })
})
