import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { startMailPeer } from '../../../test/peers/mail-peer.ts'
import { SAME_ORIGIN_HEADERS } from '../../../test/harness/browser-requests.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM, VICTOR } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'
import { runJobs } from '../../../test/harness/run-jobs.ts'

const peer = await startMailPeer()
const { api, context } = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url } })

const NINA = 'nina@orchard.example'
const gone = refused(404, 'not_found')
const account = { username: 'nina', real_name: 'Nina New', password: 'a quite different horse' }

describe('an invitation', () => {
  test.each([
    {
      loss: 'no longer administers the project',
      run: () => sql`update project_member set is_admin = false where account_id = ${MARA.id}`.execute(context.db),
    },
    { loss: 'is suspended', run: () => sql`update account set status = 'S' where id = ${MARA.id}`.execute(context.db) },
    { loss: 'is deleted', run: () => sql`update account set status = 'D' where id = ${MARA.id}`.execute(context.db) },
    {
      loss: 'is restricted',
      run: () => sql`update account set status = 'R' where id = ${MARA.id}`.execute(context.db),
    },
    { loss: 'may no longer invite by the settings', run: () => setWhoMayInvite('site_admins') },
  ])('N08 ends when the inviter $loss', async ({ run }) => {
    await invite(MARA, { project_id: ORCHARD })
    await runJobs(context)
    const secret = mailedSecret()
    expect((await api.get(`/invitations/${secret}`)).status).toBe(200)

    await run()

    expect(await api.get(`/invitations/${secret}`)).toMatchObject(gone)
    expect(await api.put(`/invitations/${secret}`, { headers: SAME_ORIGIN_HEADERS, body: account })).toMatchObject(gone)
    expect((await api.get('/invitations', { as: ADA })).json).toEqual([])
  })

  test('N08/mail is not mailed if the inviter lost the right before', async () => {
    await invite(MARA, { project_id: ORCHARD })
    await sql`update project_member set is_admin = false where account_id = ${MARA.id}`.execute(context.db)
    await runJobs(context)

    expect(peer.mails).toEqual([])
  })

  test('has a link for site administrators, which replaces the mailed one', async () => {
    await invite(MARA, { project_id: ORCHARD })
    await runJobs(context)
    const mailed = mailedSecret()
    const [{ id }] = (await api.get('/invitations', { as: MARA })).json

    const { status, json } = await api.post(`/invitations/${id}/link`, { as: ADA })

    expect(status).toBe(200)
    expect(json.link).toMatch(/^https:\/\/waypost\.example\/account\/invitation#[\w-]{43}$/)
    expect(await api.get(`/invitations/${mailed}`)).toMatchObject(gone)
    const [, secret = ''] = json.link.split('#')
    expect((await api.put(`/invitations/${secret}`, { headers: SAME_ORIGIN_HEADERS, body: account })).status).toBe(201)
    expect(await audited(context, 'invitation.link')).toMatchObject([{ actor_id: ADA.id, object: `invitations/${id}` }])
    expect(await api.post(`/invitations/${id}/link`, { as: ADA })).toMatchObject(gone)
  })

  test('has no link for others, and none after its inviter lost the right', async () => {
    await invite(MARA, { project_id: ORCHARD })
    const [{ id }] = (await api.get('/invitations', { as: MARA })).json
    for (const as of [MARA, TOM])
      expect(await api.post(`/invitations/${id}/link`, { as })).toMatchObject(refused(403, 'permission_denied'))
    await sql`update project_member set is_admin = false where account_id = ${MARA.id}`.execute(context.db)
    expect(await api.post(`/invitations/${id}/link`, { as: ADA })).toMatchObject(gone)
  })

  test('N09 is visible to its inviter, project and site administrators, before it is mailed', async () => {
    await invite(ADA, { project_id: ORCHARD })
    await invite(ADA, { email: 'noah@orchard.example' })

    const { json } = await api.get(`/projects/${ORCHARD}/invitations`, { as: MARA })
    expect(json).toMatchObject([{ email: NINA, project: { id: ORCHARD }, invited_by: { id: ADA.id } }])
    expect(json[0]).toMatchObject({ uri: `invitations/${json[0].id}`, expires_on: '2026-03-15T09:30:00+00:00' })
    const all = await api.get('/invitations?limit=1', { as: ADA })
    expect(all.json).toMatchObject([{ email: 'noah@orchard.example', project: null }])
    expect(all.headers['x-pagination-size']).toBe('2')
    expect((await api.get('/invitations?offset=1', { as: ADA })).json).toMatchObject([{ email: NINA }])
    expect((await api.get('/invitations', { as: MARA })).json).toEqual([])
    expect(await api.get(`/projects/${ORCHARD}/invitations`, { as: TOM })).toMatchObject(
      refused(403, 'permission_denied'),
    )
  })

  test('N09/revoke is revoked by its managers, by id only', async () => {
    await invite(ADA, { project_id: ORCHARD })
    await runJobs(context)
    const secret = mailedSecret()
    const [{ id }] = (await api.get(`/projects/${ORCHARD}/invitations`, { as: MARA })).json

    expect(await api.delete(`/invitations/${secret}`, { as: ADA })).toMatchObject(refused(400, 'id_malformed'))
    for (const who of [TOM, OLGA, VICTOR])
      expect(await api.delete(`/invitations/${id}`, { as: who })).toMatchObject(gone)
    expect((await api.get(`/invitations/${secret}`)).status).toBe(200)
    expect((await api.delete(`/invitations/${id}`, { as: MARA })).status).toBe(200)

    expect(await api.get(`/invitations/${secret}`)).toMatchObject(gone)
    expect(await api.delete(`/invitations/${id}`, { as: MARA })).toMatchObject(gone)
    expect(await audited(context, 'invitation.revoke')).toMatchObject([
      { actor_id: MARA.id, object: `invitations/${id}`, project_id: ORCHARD },
    ])
  })

  test('N09/unsent is not mailed after it was revoked', async () => {
    await invite(MARA, { project_id: ORCHARD })
    const [{ id }] = (await api.get('/invitations', { as: MARA })).json
    await api.delete(`/invitations/${id}`, { as: MARA })
    await runJobs(context)

    expect(peer.mails).toEqual([])
  })

  test('is the only link that its id revokes: the id of another link is unknown', async () => {
    await api.post('/password_resets', { body: { login: 'mara' } })
    await runJobs(context)
    const { rows } = await sql<{ id: number }>`select id from mailed_link`.execute(context.db)

    expect(await api.delete(`/invitations/${rows[0]?.id}`, { as: ADA })).toMatchObject(gone)
  })
})

describe('who_may_invite', () => {
  test.each([
    { setting: 'everyone', who: OLGA, status: 201 },
    { setting: 'everyone', who: TOM, project_id: ORCHARD, status: 403 },
    { setting: 'project_admins', who: OLGA, status: 403 },
    { setting: 'project_admins', who: MARA, status: 403 },
    { setting: 'project_admins', who: MARA, project_id: ORCHARD, status: 201 },
    { setting: 'project_admins', who: ADA, status: 201 },
    { setting: 'site_admins', who: MARA, project_id: ORCHARD, status: 403 },
    { setting: 'site_admins', who: ADA, project_id: ORCHARD, status: 201 },
  ])('N10 $setting: $who.login at $project_id gets $status', async ({ setting, who, status, ...more }) => {
    await setWhoMayInvite(setting)

    expect((await invite(who, more)).status).toBe(status)
  })

  test('N10/default prevents ordinary accounts from inviting to the platform', async () => {
    expect(await invite(OLGA)).toMatchObject(refused(403, 'permission_denied', { who_may: ['site_admin'] }))
    expect((await invite(MARA, { project_id: ORCHARD })).status).toBe(201)
  })
})

test('N11 the message of an inviter is short, and mail programs do not turn it into links', async () => {
  await sql`update account set real_name = 'Win at evil.example' where id = ${ADA.id}`.execute(context.db)
  await invite(ADA, {
    custom_message: 'See https://evil.example/a?b=1, www.evil.example or mailto:eve@evil.example. At 9:30.',
  })
  await runJobs(context)

  const [mail] = peer.mails
  expect(mail?.subject).toContain('Win at evil. example invites you')
  expect(mail?.text).toContain(
    'See https: //evil. example/a?b=1, www. evil. example or mailto: eve@evil. example. At 9:30.',
  )
  expect(mail?.text.match(/https?:\/\/\S+/g)).toEqual([expect.stringContaining('https://waypost.example/')])
  expect(await invite(ADA, { custom_message: 'a'.repeat(501) })).toMatchObject(refused(400, 'parameter_out_of_range'))
})

function invite(
  who: TestPerson,
  { email = NINA, ...more }: { email?: string; project_id?: number; custom_message?: string } = {},
) {
  return api.post('/invitations', { as: who, body: { emails: [email], ...more } })
}

function mailedSecret(): string {
  return /#([\w-]{43})/.exec(peer.mails.at(-1)?.text ?? '')?.[1] ?? ''
}

async function setWhoMayInvite(choice: string): Promise<void> {
  const chosen = JSON.stringify({ who_may_invite: choice })
  await sql`update setting set version = version + 1, chosen = chosen || ${chosen}::jsonb`.execute(context.db)
}
