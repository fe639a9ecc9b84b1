import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { COMMENT_CANARY, FIELD_CANARIES } from '../../../../test/fixtures/canaries.ts'
import { startWorld } from '../../../../test/harness/start-world.ts'
import { startMailPeer } from '../../../../test/peers/mail-peer.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson, TOM, UMA } from '../../../../test/fixtures/people.ts'
import { LEADS, ORCHARD } from '../../../../test/fixtures/seed-ids.ts'
import { hidePumps, makePumps, type Pumps } from '../../../../test/fixtures/pumps.ts'
import { drainWorker, runJobs } from '../../../../test/harness/run-jobs.ts'
import { settleFeed } from '../../../../test/harness/settle-feed.ts'
import { noticePoller } from '../planning/notice-poller.ts'

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

const watch = (as: TestPerson, level = 'all', object = `artifacts/${id}`) =>
  api.put(`/${object}/watch`, { as, body: { level } })
const settings = (as: TestPerson, body: object) => api.patch('/users/self/notification_settings', { as, body })
const mailsTo = ({ email }: TestPerson) => peer.mails.filter(({ to }) => to[0] === email)
const only = async (as: TestPerson) => {
  await drainWorker(context)
  const [mail, ...others] = mailsTo(as)
  if (!mail || others.length > 0) throw new Error(`There are ${others.length} other mails.`)
  return mail
}

describe('a mail about a change', () => {
  test('has the actor, the old and new values, and a link', async () => {
    await watch(TOM)
    await pumps.change(OLGA, id, { status: 'Open' })
    await drainWorker(context)
    peer.mails.length = 0
    await pumps.change(
      OLGA,
      id,
      { status: 'Closed', details: 'a new valve' },
      { body: '**Done**, see', format: 'commonmark' },
    )
    const { subject, text, html } = await only(TOM)
    expect(subject).toBe(`[pump #${id}] Pump leaks`)
    expect(text).toContain(`Olga Outside (olga) changed pump #${id} Pump leaks.\n`)
    expect(text).toContain('status: Open → Closed\n')
    expect(text).toContain('details: a new valve\n')
    expect(text).toContain('  Done, see\n')
    expect(text).toContain(`\nhttps://waypost.example/artifacts/${id}\n`)
    expect(text).toContain('You get this mail because you watch it.')
    expect(html).toContain('<li>status: Open → Closed</li>')
    expect(html).toContain('<blockquote>Done, see</blockquote>')
    expect(html).toContain(`<a href="https://waypost.example/artifacts/${id}">`)
  })

  test('is threaded by artifact, has a permanent id, and is marked as automatic', async () => {
    await watch(TOM)
    await pumps.change(OLGA, id, { details: 'one' })
    await pumps.change(OLGA, id, { details: 'two' })
    await drainWorker(context)
    const mails = mailsTo(TOM)
    const header = (name: string) => mails.map(({ headers }) => headers.get(name)?.join())
    expect(header('references')).toEqual(Array(2).fill(`<artifact-${id}@waypost.example>`))
    expect(header('in-reply-to')).toEqual(header('references'))
    expect(new Set(header('message-id')).size).toBe(2)
    expect(header('message-id')[0]).toMatch(new RegExp(`^<notice-\\w+-\\d+-${TOM.id}@waypost\\.example>$`))
    expect(header('auto-submitted')).toEqual(['auto-generated', 'auto-generated'])
    expect(header('list-unsubscribe-post')).toEqual(Array(2).fill('List-Unsubscribe=One-Click'))
  })

  test('can be short: neither values nor comment', async () => {
    await settings(TOM, { short_mails: true })
    await watch(TOM)
    await pumps.change(OLGA, id, { details: 'a new valve' }, { body: 'Look', format: 'text' })
    const { text, html } = await only(TOM)
    for (const words of [text, html]) {
      expect(words).not.toContain('valve')
      expect(words).not.toContain('Look')
      expect(words).toContain(`artifacts/${id}`)
    }
  })

  test('is not sent to an account that has switched mails off; the inbox has it', async () => {
    await settings(TOM, { mail: 'off' })
    await watch(TOM)
    await pumps.change(OLGA, id, { details: 'x' })
    await drainWorker(context)
    expect(mailsTo(TOM)).toEqual([])
    expect((await api.get('/notifications', { as: TOM })).json).toHaveLength(1)
  })

  test('is not sent for a deletion, and the inbox shows it without a title', async () => {
    await watch(TOM)
    await api.delete(`/artifacts/${id}`, { as: MARA })
    await drainWorker(context)
    expect(mailsTo(TOM)).toEqual([])
    const { json } = await api.get('/notifications', { as: TOM })
    expect(json).toMatchObject([{ event: { type: 'artifact.deleted' }, title: null, excerpt: '' }])
  })
})

describe('the content of a mail', () => {
  test.each([
    ['Tom first', [TOM, UMA]],
    ['Uma first', [UMA, TOM]],
  ] as const)('Z17 is cut to what its reader may read, %s', async (_, readers) => {
    for (const person of readers) await watch(person)
    await pumps.change(ADA, id, { summary: 'Both', for_leads: FIELD_CANARIES.leads.value })
    const [toTom, toUma] = [await only(TOM), await only(UMA)]
    expect(toUma.text).toContain(`${FIELD_CANARIES.leads.label}: ${FIELD_CANARIES.leads.value}`)
    expect(toTom.text).toContain('summary: Pump leaks → Both')
    for (const words of [toTom.raw, toTom.text, toTom.html])
      for (const secret of Object.values(FIELD_CANARIES.leads)) expect(words).not.toContain(secret)
  })

  test('Z18 has no private comment for those who may not read it', async () => {
    await watch(TOM)
    await watch(UMA)
    const comment = { body: COMMENT_CANARY, format: 'text', ugroups: [String(LEADS)] }
    await pumps.change(MARA, id, { details: 'seen by both' }, comment)
    expect((await only(UMA)).text).toContain(COMMENT_CANARY)
    const { text, html } = await only(TOM)
    expect(text).toContain('seen by both')
    expect(text + html).not.toContain(COMMENT_CANARY)
  })

  test('is decided when it is sent: a permission that was withdrawn before', async () => {
    await watch(TOM)
    await pumps.change(OLGA, id, { details: 'x' })
    await settleFeed(context)
    while (await noticePoller.turn(context));
    await hidePumps(api, pumps)
    await runJobs(context)
    expect(mailsTo(TOM)).toEqual([])
    expect(mailsTo(MARA)).toHaveLength(1)
    expect((await api.get('/notifications', { as: TOM })).json).toEqual([])
    const { rows } = await sql`select from job where type = 'mail' and state <> 'done'`.execute(context.db)
    expect(rows).toEqual([])
  })

  test.each([
    ['a group that was left', () => sql`delete from user_group_member where account_id = ${GUS.id}`, GUS],
    ['an account that was suspended', () => sql`update account set status = 'S' where id = ${GUS.id}`, GUS],
    ['an artifact that was deleted', () => sql`update artifact set deleted_on = now() where id = ${id}`, GUS],
  ] as const)('is decided when it is sent: %s', async (_, withdraw, reader) => {
    await watch(reader)
    const comment = { body: COMMENT_CANARY, format: 'text', ugroups: [String(LEADS)] }
    await pumps.change(MARA, id, {}, comment)
    await settleFeed(context)
    while (await noticePoller.turn(context));
    await withdraw().execute(context.db)
    await sql`update project set rights_epoch = rights_epoch + 1 where id = ${ORCHARD}`.execute(context.db)
    await runJobs(context)
    expect(mailsTo(reader)).toEqual([])
  })

  test('is not sent to an account that has muted it meanwhile', async () => {
    await watch(TOM)
    await pumps.change(OLGA, id, { details: 'x' })
    await settleFeed(context)
    while (await noticePoller.turn(context));
    await watch(TOM, 'none')
    await runJobs(context)
    expect(mailsTo(TOM)).toEqual([])
  })
})

describe('titles, names and comments', () => {
  const EVIL = 'Pump\r\nBcc: eve@evil.example\r\n\r\n<script>alert(1)</script>'

  const PAYLOADS = [
    '<img src=x onerror=alert(1)>',
    '"><svg/onload=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '[x](javascript:alert(1))',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '<style>@import "https://evil.example"</style>',
  ]

  test('I26 stay within their header', async () => {
    await watch(TOM)
    await sql`update account set real_name = ${EVIL} where id = ${OLGA.id}`.execute(context.db)
    const field = String(pumps.tracker.field('summary'))
    await sql`update artifact set field_values = field_values || jsonb_build_object(${field}::text, ${EVIL}::text) where id = ${id}`.execute(
      context.db,
    )
    await pumps.change(OLGA, id, { details: 'x' })
    const mail = await only(TOM)
    expect([...mail.headers.keys()]).not.toContain('bcc')
    expect(mail.headers.get('subject')).toHaveLength(1)
    expect(mail.to).toEqual([TOM.email])
    expect(mail.subject).toBe(`[pump #${id}] Pump Bcc: eve@evil.example <script>alert(1)</script>`)
    expect(mail.text).not.toMatch(/^Bcc:/m)
    expect(mail.html).not.toContain('<script')
    expect(mail.html).toContain('&lt;script&gt;')
  })

  test('C09 are never markup', async () => {
    await watch(TOM)
    for (const payload of PAYLOADS)
      for (const format of ['html', 'commonmark'])
        await pumps.change(OLGA, id, { details: `${payload}${format}` }, { body: `${payload} said`, format })
    await drainWorker(context)
    expect(mailsTo(TOM)).toHaveLength(PAYLOADS.length * 2)
    for (const { html } of mailsTo(TOM)) {
      expect(html).not.toMatch(/<(?:script|img|svg|style|iframe|form|object)/i)
      expect(html).not.toMatch(/<[^>]*(?:javascript:|\son\w+=)/i)
      const links = html.match(/<a [^>]*/g) ?? []
      expect(links.filter((link) => !link.startsWith('<a href="https://waypost.example/'))).toEqual([])
    }
  })

  test('I27 link to the configured address, whatever the request said', async () => {
    await watch(TOM)
    const headers = { 'x-forwarded-host': 'evil.example' }
    await api.put(`/artifacts/${id}`, { as: OLGA, headers, body: { values_by_field: { details: 'x' } } })
    const { text, html, raw } = await only(TOM)
    expect(text + html + raw).not.toContain('evil.example')
  })
})
