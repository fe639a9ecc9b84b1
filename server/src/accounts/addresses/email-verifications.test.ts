import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/audited.ts'
import { startWorld } from '../../../test/harness.ts'
import { startMailPeer } from '../../../test/mail-peer.ts'
import { ADA, MARA, type Person, TOM } from '../../../test/people.ts'
import { masked, refused, statusesOf } from '../../../test/refused.ts'
import { runJobs } from '../../../test/run-jobs.ts'

const peer = await startMailPeer()
const { api, context, clock } = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url } })

const HOUR = 3_600_000
const NEW = 'mara@new.example'

describe('a new address', () => {
  test('is in force when its link was opened, and not before', async () => {
    const secret = await askFor(MARA, NEW)
    expect((await api.get('/users/self', { as: MARA })).json).toMatchObject({ email: MARA.email, pending_email: NEW })
    const tag = (await api.get('/users/self', { as: MARA })).headers.etag

    const answer = await api.put(`/email_verifications/${secret}`)

    expect(answer).toMatchObject({ status: 200, text: '' })
    const now = await api.get('/users/self', { as: MARA })
    expect(now.json).toMatchObject({ email: NEW, pending_email: null })
    expect(now.headers.etag?.split('.')[0]).not.toBe(tag?.split('.')[0])
    expect(await audited(context, 'email.verify')).toMatchObject([{ actor_id: MARA.id, object: `users/${MARA.id}` }])
    expect(await api.put(`/email_verifications/${secret}`)).toMatchObject(refused(404, 'not_found'))
  })

  test('that somebody else took meanwhile is refused', async () => {
    const secret = await askFor(MARA, NEW)
    await sql`update account set email = ${NEW.toUpperCase()} where id = ${TOM.id}`.execute(context.db)

    expect(await api.put(`/email_verifications/${secret}`)).toMatchObject(refused(400, 'name_taken', { path: 'email' }))
    expect((await api.get('/users/self', { as: MARA })).json.email).toBe(MARA.email)
  })

  test('of two accounts that both wait for it goes to one', async () => {
    const secrets = [await askFor(MARA, NEW), await askFor(TOM, NEW)]

    const answers = await Promise.all(secrets.map((secret) => api.put(`/email_verifications/${secret}`)))

    expect(statusesOf(answers)).toEqual([200, 400])
  })

  test('is given up for another one: the earlier link is dead', async () => {
    const first = await askFor(MARA, NEW)
    await askFor(MARA, 'mara@newer.example')

    expect(await api.put(`/email_verifications/${first}`)).toMatchObject(refused(404, 'not_found'))
  })

  test('is gone with the account, after 24 hours, and with a secret that nobody has: one answer', async () => {
    const over = await askFor(MARA, NEW)
    clock.advance(24 * HOUR)
    const answers = [
      await api.put(`/email_verifications/${over}`),
      await api.put(`/email_verifications/${'A'.repeat(43)}`),
    ]
    const suspended = await askFor(TOM, 'tom@new.example')
    await sql`update account set status = 'S' where id = ${TOM.id}`.execute(context.db)
    answers.push(await api.put(`/email_verifications/${suspended}`))

    for (const answer of answers) expect(answer).toMatchObject(refused(404, 'not_found'))
    expect(new Set(answers.map(masked)).size).toBe(1)
  })
})

describe('POST /email_verifications', () => {
  test('mails the link again, three times an hour', async () => {
    await sql`update account set pending_email = ${NEW} where id = ${MARA.id}`.execute(context.db)
    for (let count = 0; count < 3; count++)
      expect(await api.post('/email_verifications', { as: MARA })).toMatchObject({ status: 202, text: '' })

    clock.advance(20 * 60_000)
    const fourth = await api.post('/email_verifications', { as: MARA })

    expect(fourth).toMatchObject(refused(429, 'rate_limited'))
    expect(fourth.headers['retry-after']).toBe('2400')
    await runJobs(context)
    expect(peer.mails.map(({ to }) => to)).toEqual([[NEW], [NEW], [NEW]])
    clock.advance(40 * 60_000)
    expect((await api.post('/email_verifications', { as: MARA })).status).toBe(202)
  })

  test('needs an address that waits, and somebody who is signed in', async () => {
    expect(await api.post('/email_verifications', { as: MARA })).toMatchObject(refused(404, 'not_set'))
    expect(await api.post('/email_verifications')).toMatchObject(refused(401, 'authentication_required'))
  })

  test('tells nothing about an address that is another account’s', async () => {
    await sql`update account set pending_email = ${ADA.email} where id = ${MARA.id}`.execute(context.db)

    expect((await api.post('/email_verifications', { as: MARA })).status).toBe(202)
    await runJobs(context)
    expect(peer.mails).toMatchObject([{ to: [ADA.email], subject: 'Your address on Waypost' }])
    expect((await sql`select from mailed_link`.execute(context.db)).rows).toEqual([])
  })
})

/** Returns the secret of the link that was mailed. */
async function askFor(person: Person, email: string): Promise<string> {
  await api.patch('/users/self', { as: person, body: { email } })
  await runJobs(context)
  const mail = peer.mails.findLast(({ to }) => to[0] === email)
  return /#([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? ''
}
