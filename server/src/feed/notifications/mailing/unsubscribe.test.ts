import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../../../test/harness/start-world.ts'
import { startMailPeer } from '../../../../test/peers/mail-peer.ts'
import { ADA, MARA, OLGA, TOM } from '../../../../test/fixtures/people.ts'
import { makePumps, type Pumps } from '../../../../test/fixtures/pumps.ts'
import { refused } from '../../../../test/harness/refused.ts'
import { drainWorker } from '../../../../test/harness/run-jobs.ts'
import { formatUnsubscribeToken } from './unsubscribe-token.ts'

const peer = await startMailPeer()
const { api, context } = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url } })
let pumps: Pumps
let id: number
beforeEach(async () => {
  pumps = await makePumps(api)
  id = await pumps.create(MARA)
  await drainWorker(context)
  await api.put(`/artifacts/${id}/watch`, { as: TOM, body: { level: 'all' } })
  peer.mails.length = 0
})

/** The unsubscribe links of the mail that Tom gets. */
async function mailed(): Promise<{ oneClick: string; page: string }> {
  await pumps.change(OLGA, id, { details: 'x' })
  await drainWorker(context)
  const mail = peer.mails.find(({ to }) => to[0] === TOM.email)
  return {
    oneClick:
      /^<https:\/\/waypost\.example\/api(\/\S+)>$/.exec(mail?.headers.get('list-unsubscribe')?.[0] ?? '')?.[1] ?? '',
    page: /\nhttps:\/\/waypost\.example(\/unsubscribe\/\S+)\n/.exec(mail?.text ?? '')?.[1] ?? '',
  }
}
/** A browser without a session. */
async function visit(path: string) {
  const answer = await fetch(`${api.origin}${path}`)
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
const levelOf = async (as = TOM) => (await api.get(`/artifacts/${id}/watch`, { as })).json

describe('the link of a mail', () => {
  test('RFC 8058 mutes the artifact by one click, without signing in, as mail programs do it', async () => {
    const { oneClick } = await mailed()
    const answer = await api.post(oneClick, {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(await levelOf()).toEqual({ level: 'none', inherited_from: null })
    peer.mails.length = 0
    await pumps.change(OLGA, id, { details: 'y' })
    await drainWorker(context)
    expect(peer.mails.filter(({ to }) => to[0] === TOM.email)).toEqual([])
  })

  test('works without a body, again and again', async () => {
    const { oneClick } = await mailed()
    for (let time = 0; time < 2; time++) expect((await api.post(oneClick)).status).toBe(200)
    expect((await levelOf()).level).toBe('none')
  })

  test('works without signing in where sign-in is mandatory', async () => {
    const { oneClick, page } = await mailed()
    await api.patch('/settings', { as: ADA, body: { anonymous_access: false } })
    expect((await visit(page)).status).toBe(200)
    expect((await api.post(oneClick)).status).toBe(200)
  })

  test('leads people to a page with a button, and changes nothing when opened', async () => {
    const { page, oneClick } = await mailed()
    const { status, text, headers } = await visit(page)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toContain("form-action 'self'")
    expect(text).toContain(`<form method="post" action="/api${oneClick}">`)
    expect(text).toContain(`artifacts/${id}`)
    expect(text).not.toContain('Pump leaks')
    expect((await levelOf()).level).toBe('all')
    const pressed = await api.post(oneClick, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: '',
    })
    expect(pressed.headers['refresh']).toBe(`0; url=${page}?done=1`)
    expect((await visit(`${page}?done=1`)).text).toContain(`Notifications about artifacts/${id} are muted.`)
  })

  test('leads to that page if a mail program opens it instead of posting', async () => {
    const { page, oneClick } = await mailed()
    const { status, json, headers } = await api.get(oneClick)
    expect([status, json, headers['refresh']]).toEqual([200, { object: `artifacts/${id}` }, `0; url=${page}`])
    expect((await levelOf()).level).toBe('all')
  })

  test('mutes only for the account of the link, whichever account is signed in', async () => {
    const { oneClick } = await mailed()
    await api.post(oneClick, { as: MARA })
    expect((await levelOf(MARA)).level).toBe('mentions')
    expect((await levelOf()).level).toBe('none')
  })

  test('cannot be forged, nor changed to another object or account', async () => {
    const { oneClick } = await mailed()
    const [, , token = ''] = oneClick.split('/')
    const forged = [
      token.replace(String(TOM.id), String(MARA.id)),
      token.replace(String(id), String(id + 1)),
      `${token}x`,
      `${token}%00`,
      `${token}.x`,
      token.slice(0, -1),
      'x',
      '%00',
    ]
    for (const each of forged) {
      const answer = await api.post(`/unsubscribe/${each}`)
      expect([each, answer.status < 500 && answer.status >= 400]).toEqual([each, true])
      expect((await visit(`/unsubscribe/${each}`)).status).toBeGreaterThanOrEqual(400)
    }
    expect((await levelOf(MARA)).level).toBe('mentions')
  })

  test('of a digest ends the mails, but not the inbox', async () => {
    const token = formatUnsubscribeToken(context.secrets, { account: TOM.id, object: 'mails' })
    expect((await api.post(`/unsubscribe/${token}`)).status).toBe(200)
    expect((await api.get('/users/self/notification_settings', { as: TOM })).json).toMatchObject({
      mail: 'off',
      default_level: 'mentions',
    })
  })

  test('of an erased account is not found', async () => {
    const { oneClick } = await mailed()
    await api.delete(`/users/${TOM.id}`, { as: ADA, body: { confirm: 'tom' } })
    expect(await api.post(oneClick)).toMatchObject(refused(404, 'not_found'))
  })
})
