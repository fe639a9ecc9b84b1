import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { TEST_NOW, startWorld } from '../../../test/harness/start-world.ts'
import { startMailPeer } from '../../../test/peers/mail-peer.ts'
import { cookieIn, SAME_ORIGIN_HEADERS } from '../../../test/harness/browser-requests.ts'
import { ADA, MARA, OLGA, type TestPerson, RITA, SAM, TOM } from '../../../test/fixtures/people.ts'
import { MARSH, ORCHARD, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { masked, refused, statusesOf } from '../../../test/harness/refused.ts'
import { runJobs } from '../../../test/harness/run-jobs.ts'

const peer = await startMailPeer()
const { api, context, clock } = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url } })

/** Most tests here do not depend on who may invite. */
beforeEach(async () => {
  await sql`update setting set version = version + 1, chosen = '{"who_may_invite": "everyone"}'`.execute(context.db)
})

const NINA = 'nina@orchard.example'
const DAY = 86_400_000
const nobody = {
  failures: [],
  already_project_members: [],
  known_users_added_to_project_members: [],
  known_users_not_alive: [],
}
const account = { username: 'nina', real_name: 'Nina New', password: 'a quite different horse' }

describe('POST /invitations', () => {
  test('mails an invitation to each address', async () => {
    const answer = await invite(OLGA, {
      emails: [NINA, NINA.toUpperCase(), 'noah@orchard.example'],
      custom_message: 'Come and see!',
    })

    expect(answer).toMatchObject({ status: 201, json: nobody })
    expect(peer.mails.map(({ to }) => to[0]?.toLowerCase())).toEqual([NINA, 'noah@orchard.example'])
    expect(peer.mails[0]?.subject).toBe('Olga Outside invites you to Waypost')
    expect(peer.mails[0]?.text).toContain('Come and see!')
    expect(await audited(context, 'invitation.create')).toMatchObject([{ actor_id: OLGA.id, after: { addresses: 2 } }])
  })

  test('lists the invalid addresses', async () => {
    const { json } = await invite(OLGA, { emails: ['not an address', 'two@a.example, three@b.example', NINA] })

    expect(json).toEqual({ ...nobody, failures: ['not an address', 'two@a.example, three@b.example'] })
    expect(peer.mails).toHaveLength(1)
  })

  test('adds existing accounts to the project, and names them to site administrators only', async () => {
    const emails = [OLGA.email, TOM.email, SAM.email, NINA]
    const byMara = await invite(MARA, { emails, project_id: ORCHARD })

    expect(byMara.json).toEqual({ ...nobody, already_project_members: [TOM.email] })
    expect(await membersOf(ORCHARD)).toContain(OLGA.id)
    expect(peer.mails.map(({ to }) => to)).toEqual([[NINA]])
    expect(peer.mails[0]?.subject).toBe('Mara Keller invites you to Orchard on Waypost')
    expect(await audited(context, 'project.member_add')).toMatchObject([{ actor_id: MARA.id, project_id: ORCHARD }])
    const { rows } = await sql`select type, project_id from event order by id`.execute(context.db)
    expect(rows).toContainEqual({ type: 'member.added', project_id: ORCHARD })

    const byAda = await invite(ADA, { emails: [RITA.email, SAM.email], project_id: ORCHARD })
    expect(byAda.json).toEqual({
      ...nobody,
      known_users_added_to_project_members: [RITA.email],
      known_users_not_alive: [SAM.email],
    })
  })

  test('as a dry run reveals existing accounts to site administrators only', async () => {
    const rehearse = (who: TestPerson, email: string, project_id: number | null = null) =>
      api.post('/invitations?dry_run=true', { as: who, body: { emails: [email], project_id } })
    for (const [who, project] of [[OLGA], [MARA, ORCHARD]] as const) {
      const [known, unknown] = [await rehearse(who, RITA.email, project), await rehearse(who, NINA, project)]
      expect(masked(known)).toBe(masked(unknown))
    }
    expect((await rehearse(ADA, NINA)).json.dry_run.notified).toMatchObject([{ user: { email: NINA } }])
    expect((await rehearse(ADA, RITA.email, ORCHARD)).json.dry_run.changes).toHaveLength(2)
  })

  test('sends no invitation to an existing account', async () => {
    expect((await invite(OLGA, { emails: [TOM.email] })).json).toEqual(nobody)
    expect(peer.mails).toEqual([])
  })

  test('adds no restricted account to a project that excludes them', async () => {
    await sql`update project set access = 'private-wo-restr' where id = ${ORCHARD}`.execute(context.db)

    expect((await invite(MARA, { emails: [RITA.email], project_id: ORCHARD })).json).toEqual({
      ...nobody,
      failures: [RITA.email],
    })
    expect(await membersOf(ORCHARD)).not.toContain(RITA.id)
  })

  test.each([
    { who: TOM, project_id: ORCHARD, status: 403, reason: 'permission_denied' },
    { who: TOM, project_id: VAULT, status: 400, reason: 'reference_unknown' },
    { who: TOM, project_id: 2999, status: 400, reason: 'reference_unknown' },
    { who: TOM, project_id: -1, status: 400, reason: 'reference_unknown' },
    { who: MARA, project_id: MARSH, status: 400, reason: 'reference_unknown' },
    { who: RITA, project_id: undefined, status: 403, reason: 'permission_denied' },
    { who: undefined, project_id: undefined, status: 401, reason: 'authentication_required' },
  ])('refuses $who.login at $project_id with $reason', async ({ who, project_id, status, reason }) => {
    expect(await invite(who, { emails: [NINA], project_id })).toMatchObject(refused(status, reason))
    expect(peer.mails).toEqual([])
  })

  test('accepts 50 addresses per call, and 200 per day', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `person${index}@orchard.example`)
    expect(await post(OLGA, { emails: many(51) })).toMatchObject(refused(400, 'parameter_out_of_range'))
    expect(await post(OLGA, { emails: [] })).toMatchObject(refused(400, 'parameter_out_of_range'))
    await sql`insert into mail_request (account_id, kind, count, "on")
      values (${OLGA.id}, 'invitation', 180, ${clock.now()})`.execute(context.db)
    expect((await post(OLGA, { emails: many(20) })).status).toBe(201)

    const over = await post(OLGA, { emails: [NINA] })

    expect(over).toMatchObject(refused(429, 'rate_limited'))
    expect(over.headers['retry-after']).toBe('86400')
    expect((await post(TOM, { emails: [NINA] })).status).toBe(201)
    clock.advance(DAY)
    expect((await post(OLGA, { emails: [NINA] })).status).toBe(201)
  })
})

describe('GET /invitations/{token}', () => {
  test('shows the recipient and the project', async () => {
    const withProject = await invitationOf(MARA, { project_id: ORCHARD })
    const without = await invitationOf(OLGA)

    expect((await api.get(`/invitations/${withProject}`)).json).toEqual({
      email: NINA,
      project: {
        id: ORCHARD,
        uri: `projects/${ORCHARD}`,
        label: '🌳 Orchard',
        label_without_icon: 'Orchard',
        shortname: 'orchard',
        status: 'active',
        access: 'public',
        is_template: false,
      },
    })
    expect((await api.get(`/invitations/${without}`)).json).toEqual({ email: NINA, project: null })
  })

  test('unknown, used and expired links give one response', async () => {
    const used = await invitationOf(OLGA)
    await accept(used)
    const over = await invitationOf(OLGA, { email: 'noah@orchard.example' })
    clock.advance(14 * DAY)

    const answers = await Promise.all([used, over, 'A'.repeat(43)].map((secret) => api.get(`/invitations/${secret}`)))

    for (const answer of answers) expect(answer).toMatchObject(refused(404, 'not_found'))
    expect(new Set(answers.map(masked)).size).toBe(1)
  })
})

describe('PUT /invitations/{token}', () => {
  test('creates the account with its address, adds it to the project, and signs in', async () => {
    await sql`update setting set version = version + 1, chosen = '{"anonymous_access": false}'`.execute(context.db)
    const secret = await invitationOf(MARA, { project_id: ORCHARD })

    const answer = await accept(secret)

    expect(answer.status).toBe(201)
    expect(answer.json).toMatchObject({
      is_current: true,
      user: { username: 'nina', real_name: 'Nina New', email: NINA, status: 'A' },
    })
    const headers = { ...SAME_ORIGIN_HEADERS, cookie: cookieIn(answer) }
    expect((await api.get('/session', { headers })).json.user.id).toBe(answer.json.user.id)
    expect(await membersOf(ORCHARD)).toContain(answer.json.user.id)
    const { id } = answer.json.user
    expect(await audited(context, 'invitation.accept')).toMatchObject([
      { actor_id: id, object: `users/${id}`, credential_kind: 'session' },
    ])
    expect((await accept(secret, { ...account, username: 'nina2' })).status).toBe(404)
  })

  test.each([
    { username: 'tom', reason: 'name_taken' },
    { username: 'N!na', reason: 'name_invalid' },
    { password: 'short', reason: 'rule_violated' },
    { password: NINA, reason: 'rule_violated' },
    { real_name: '', reason: 'parameter_out_of_range' },
  ])('refuses %j and keeps the link valid', async ({ reason, ...wrong }) => {
    const secret = await invitationOf(OLGA)

    expect(await accept(secret, { ...account, ...wrong })).toMatchObject(refused(400, reason))
    expect((await accept(secret)).status).toBe(201)
  })

  test('refuses an address that was taken meanwhile', async () => {
    const secret = await invitationOf(OLGA)
    await sql`update account set email = ${NINA} where id = ${TOM.id}`.execute(context.db)

    expect(await accept(secret)).toMatchObject(refused(400, 'name_taken', { path: 'email' }))
  })

  test('creates one account for two concurrent requests', async () => {
    const secret = await invitationOf(OLGA)

    const answers = await Promise.all([accept(secret), accept(secret, { ...account, username: 'nina2' })])

    expect(statusesOf(answers)).toEqual([201, 404])
  })

  test('A23 is refused from another site', async () => {
    const secret = await invitationOf(OLGA)
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }

    expect(await api.put(`/invitations/${secret}`, { headers, body: account })).toMatchObject(
      refused(403, 'cross_site_cookie'),
    )
  })

  test('stores no cookie for a repetition', async () => {
    const secret = await invitationOf(OLGA)
    const headers = { ...SAME_ORIGIN_HEADERS, 'idempotency-key': 'once' }
    const answer = await api.put(`/invitations/${secret}`, { as: TOM, headers, body: account })

    const value = cookieIn(answer).split('=')[1] ?? ''
    const { rows } = await sql<{
      kept: string
    }>`select string_agg(idempotency::text, ' ') as kept from idempotency`.execute(context.db)
    expect(rows[0]?.kept).toBeTruthy()
    expect(rows[0]?.kept).not.toContain(value)
  })

  test('N08/project ends with its project', async () => {
    const secret = await invitationOf(MARA, { project_id: ORCHARD })
    await sql`update project set status = 'suspended' where id = ${ORCHARD}`.execute(context.db)

    expect(await api.get(`/invitations/${secret}`)).toMatchObject(refused(404, 'not_found'))
    expect(await accept(secret)).toMatchObject(refused(404, 'not_found'))
    expect(await membersOf(ORCHARD)).toHaveLength(4)
  })

  test('expires after 14 days', async () => {
    const secret = await invitationOf(OLGA)
    clock.set(new Date(TEST_NOW.getTime() + 14 * DAY - 1000))
    expect((await api.get(`/invitations/${secret}`)).status).toBe(200)
    clock.advance(1000)
    expect((await accept(secret)).status).toBe(404)
  })
})

function post(who: TestPerson | undefined, body: object) {
  return api.post('/invitations', { ...(who && { as: who }), body })
}

async function invite(who: TestPerson | undefined, body: object) {
  const answer = await post(who, body)
  await runJobs(context)
  return answer
}

async function invitationOf(
  who: TestPerson,
  { email = NINA, ...more }: { email?: string; project_id?: number } = {},
): Promise<string> {
  await invite(who, { emails: [email], ...more })
  return /#([\w-]{43})/.exec(peer.mails.at(-1)?.text ?? '')?.[1] ?? ''
}

function accept(secret: string, body: object = account) {
  return api.put(`/invitations/${secret}`, { headers: SAME_ORIGIN_HEADERS, body })
}

async function membersOf(project: typeof ORCHARD): Promise<number[]> {
  const rows = await context.db
    .selectFrom('project_member')
    .select('account_id')
    .where('project_id', '=', project)
    .execute()
  return rows.map(({ account_id }) => account_id)
}
