import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../../../test/harness/start-world.ts'
import { startMailPeer } from '../../../../test/peers/mail-peer.ts'
import { GUS, MARA, OLGA, type TestPerson, RITA, SAM, TOM, UMA } from '../../../../test/fixtures/people.ts'
import { LEADS, ORCHARD } from '../../../../test/fixtures/seed-ids.ts'
import { makePumps, type Pumps } from '../../../../test/fixtures/pumps.ts'
import { settleFeed } from '../../../../test/harness/settle-feed.ts'
import { drainWorker } from '../../../../test/harness/run-jobs.ts'
import { noticePoller } from './notice-poller.ts'

const peer = await startMailPeer()
const { api, context } = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url } })
let pumps: Pumps
let id: number
beforeEach(async () => {
  pumps = await makePumps(api)
  id = await pumps.create(MARA)
  await drainWorker(context)
  peer.mails.length = 0
})

const settings = (as: TestPerson, body: object) => api.patch('/users/self/notification_settings', { as, body })
const watch = (as: TestPerson, level: string, object = `artifacts/${id}`) =>
  api.put(`/${object}/watch`, { as, body: { level } })

/** The reasons of the entries in an inbox, newest first; `-`: the inbox is empty. */
async function why(as: TestPerson): Promise<string> {
  await drainWorker(context)
  const { json } = await api.get('/notifications', { as })
  return json.map((entry: { why: string }) => entry.why).join(' ') || '-'
}

describe('a change notifies', () => {
  test('only those who watch the artifact, its tracker or its project', async () => {
    await watch(TOM, 'all')
    await watch(UMA, 'all', `trackers/${pumps.tracker.id}`)
    await watch(GUS, 'all', `projects/${ORCHARD}`)
    await pumps.change(OLGA, id, { details: 'at the valve' })
    for (const person of [TOM, UMA, GUS]) expect(await why(person)).toBe('watch')
    expect(await why(OLGA)).toBe('-')
    expect(new Set(peer.mails.flatMap(({ to }) => to))).toEqual(new Set([GUS.email, MARA.email, TOM.email, UMA.email]))
  })

  test('the assignees, the submitter, and the people fields that the tracker notifies', async () => {
    await pumps.change(OLGA, id, { assigned_to: ['tom'], fans: ['uma'] })
    expect(await why(TOM)).toBe('assigned')
    expect(await why(UMA)).toBe('list')
    expect(await why(MARA)).toBe('submitted')
    await pumps.change(OLGA, id, { assigned_to: [] })
    expect(await why(TOM)).toBe('assigned assigned')
    await pumps.change(OLGA, id, { details: 'no longer theirs' })
    expect(await why(TOM)).toBe('assigned assigned')
  })

  test('no one who has switched that off', async () => {
    await settings(TOM, { assigned: false })
    await settings(MARA, { submitted: false })
    await pumps.change(OLGA, id, { assigned_to: ['tom'] }, { body: 'for you', format: 'text' })
    expect(await why(TOM)).toBe('-')
    expect(await why(MARA)).toBe('-')
  })

  test('its author only on request', async () => {
    await pumps.change(MARA, id, { details: 'mine' })
    expect(await why(MARA)).toBe('-')
    await settings(MARA, { own_changes: true })
    await pumps.change(MARA, id, { details: 'mine again' })
    expect(await why(MARA)).toBe('submitted')
  })

  test('mentioned people, in a comment or newly in a text', async () => {
    await pumps.change(OLGA, id, {}, { body: 'Ask @Tom. Or mail uma@waypost.example', format: 'text' })
    expect([await why(TOM), await why(UMA)]).toEqual(['mention', '-'])
    await pumps.change(OLGA, id, { details: 'by @uma' })
    expect(await why(UMA)).toBe('mention')
    await pumps.change(OLGA, id, { details: 'by @uma, again' })
    expect(await why(UMA)).toBe('mention')
  })

  test('by one entry and one mail, whatever the reasons', async () => {
    await watch(TOM, 'all')
    await watch(TOM, 'all', `projects/${ORCHARD}`)
    await pumps.change(OLGA, id, { assigned_to: ['tom'], fans: ['tom'] }, { body: '@tom', format: 'text' })
    expect(await why(TOM)).toBe('mention')
    expect(peer.mails.filter(({ to }) => to[0] === TOM.email)).toHaveLength(1)
  })

  test('no one without permission to read it: a restricted and a suspended account', async () => {
    await pumps.change(OLGA, id, {}, { body: '@rita @sam @pia', format: 'text' })
    expect(await why(RITA)).toBe('-')
    await drainWorker(context)
    expect(peer.mails.filter(({ to }) => [RITA.email, SAM.email].includes(to[0] ?? ''))).toEqual([])
  })

  test('no one who is named in a field that they may not read', async () => {
    await pumps.change(MARA, id, { fans_of_admins: ['tom'] })
    expect(await why(TOM)).toBe('-')
    await pumps.change(UMA, id, { for_leads: '@tom and @gus' })
    expect([await why(TOM), await why(GUS)]).toEqual(['-', 'mention'])
  })

  test('Z18 of a private comment only those who may read it', async () => {
    await watch(TOM, 'all')
    await watch(UMA, 'all')
    await pumps.change(MARA, id, {}, { body: 'quietly, @tom @gus', format: 'text', ugroups: [String(LEADS)] })
    expect([await why(TOM), await why(UMA), await why(GUS)]).toEqual(['-', 'watch', 'mention'])
  })

  test('each person once, when two workers run at the same time', async () => {
    await watch(TOM, 'all')
    await pumps.change(OLGA, id, { details: 'once' })
    await settleFeed(context)
    await Promise.all(Array.from({ length: 6 }, () => noticePoller.turn(context)))
    expect(await why(TOM)).toBe('watch')
    expect(peer.mails.filter(({ to }) => to[0] === TOM.email)).toHaveLength(1)
  })

  test('even if an event before or after it cannot be parsed', async () => {
    await watch(TOM, 'all')
    await pumps.change(OLGA, id, { details: 'before' })
    await pumps.change(OLGA, id, { details: 'unheard of' })
    await sql`update event set payload = jsonb_set(payload, '{version}', '1e30')
      where id = (select max(id) from event where object = ${`artifacts/${id}`})`.execute(context.db)
    const other = await pumps.create(OLGA)
    await watch(TOM, 'all', `artifacts/${other}`)
    await pumps.change(OLGA, other, { details: 'after' })
    expect(await why(TOM)).toBe('watch watch watch') // One before; then the other artifact is created and changed.
  })

  test('of a tracker or project those who watch it with level all', async () => {
    await watch(TOM, 'all', `projects/${ORCHARD}`)
    await watch(GUS, 'status', `projects/${ORCHARD}`)
    await api.put(`/projects/${ORCHARD}/banner`, { as: MARA, body: { message: 'Harvest' } })
    expect(await why(TOM)).toContain('watch')
    expect(await why(GUS)).toBe('-')
  })
})

describe('the level', () => {
  const STEPS: readonly [string, object, object?][] = [
    ['other', { details: 'more' }],
    ['status', { status: 'Closed' }],
    ['comment', {}, { body: 'Done.', format: 'text' }],
    ['assignment', { assigned_to: ['tom'] }],
    ['mention', {}, { body: 'See, @tom', format: 'text' }],
  ]
  /** Applies each step in turn and returns those that notify Tom. */
  const notified = async (): Promise<string[]> => {
    for (const [, values, comment] of STEPS) await pumps.change(OLGA, id, values, comment)
    await drainWorker(context)
    const { json } = await api.get('/notifications', { as: TOM })
    const versions = json.map(({ event }: { event: { version: number } }) => event.version)
    return STEPS.flatMap(([name], at) => (versions.includes(at + 2) ? [name] : []))
  }

  test.each([
    { level: 'all', heard: ['other', 'status', 'comment', 'assignment', 'mention'] },
    { level: 'status', heard: ['status', 'comment', 'assignment', 'mention'] },
    { level: 'mentions', heard: ['assignment', 'mention'] },
    { level: 'none', heard: [] },
  ])('$level notifies of $heard', async ({ level, heard }) => {
    await watch(TOM, level)
    expect(await notified()).toEqual(heard)
  })

  test('status notifies of new artifacts', async () => {
    await watch(TOM, 'status', `trackers/${pumps.tracker.id}`)
    await pumps.create(OLGA)
    expect(await why(TOM)).toBe('watch')
  })

  test('none lets mentions through on request', async () => {
    await settings(TOM, { mute_mentions: false })
    await watch(TOM, 'none')
    expect(await notified()).toEqual(['mention'])
  })

  test('of the nearest object wins, also if it is the quieter one', async () => {
    await watch(TOM, 'all', `projects/${ORCHARD}`)
    await watch(TOM, 'none', `trackers/${pumps.tracker.id}`)
    await pumps.change(OLGA, id, { details: 'x' })
    expect(await why(TOM)).toBe('-')
    await watch(TOM, 'all')
    await pumps.change(OLGA, id, { details: 'y' })
    expect(await why(TOM)).toBe('watch')
  })

  test('of the account applies to the projects of which it is a member', async () => {
    await settings(TOM, { default_level: 'all' })
    await settings(GUS, { default_level: 'all' })
    await pumps.change(OLGA, id, { details: 'x' })
    expect([await why(TOM), await why(GUS)]).toEqual(['watch', '-'])
    await settings(TOM, { default_level: 'none' })
    await pumps.change(OLGA, id, { assigned_to: ['tom'] })
    expect(await why(TOM)).toBe('watch')
  })

  test('mentions notifies of replies: comments after one’s own', async () => {
    await pumps.change(TOM, id, {}, { body: 'Why?', format: 'text' })
    await pumps.change(OLGA, id, {}, { body: 'Because.', format: 'text' })
    expect(await why(TOM)).toBe('watch')
    await pumps.change(OLGA, id, { details: 'no comment' })
    expect(await why(TOM)).toBe('watch')
  })
})

describe('the tracker', () => {
  const mailed = () => peer.mails.filter(({ to }) => to[0] === TOM.email).map(({ subject }) => subject)

  test('that sends no mails still fills inboxes', async () => {
    await setLevel('none')
    await watch(TOM, 'all')
    await pumps.change(OLGA, id, { status: 'Closed' }, { body: '@tom', format: 'text' })
    expect(await why(TOM)).toBe('mention')
    expect(mailed()).toEqual([])
  })

  test('that mails status changes mails nothing else', async () => {
    await setLevel('status_change')
    await watch(TOM, 'all')
    await pumps.change(OLGA, id, { details: 'x' }, { body: '@tom', format: 'text' })
    expect(await why(TOM)).toBe('mention')
    expect(mailed()).toEqual([])
    await pumps.change(OLGA, id, { status: 'Closed' })
    expect(await why(TOM)).toBe('watch mention')
    expect(mailed()).toHaveLength(1)
  })

  async function setLevel(notifications_level: string): Promise<void> {
    const path = `/trackers/${pumps.tracker.id}/definition`
    const { json } = await api.get(path, { as: MARA })
    const body = { ...json, settings: { ...json.settings, notifications_level } }
    expect((await api.put(path, { as: MARA, body })).status).toBe(200)
  }
})

describe('notify=false', () => {
  test('notifies no one, neither by mail nor in the inbox', async () => {
    await watch(TOM, 'all')
    const line = JSON.stringify({ op: 'update', id, values_by_field: { details: 'quiet' }, comment: { body: '@tom' } })
    const { status } = await api.post(`/trackers/${pumps.tracker.id}/artifacts/bulk?notify=false`, {
      as: MARA,
      body: line,
      headers: { 'content-type': 'application/x-ndjson' },
    })
    expect(status).toBe(200)
    expect(await why(TOM)).toBe('-')
    expect(peer.mails).toEqual([])
  })
})
