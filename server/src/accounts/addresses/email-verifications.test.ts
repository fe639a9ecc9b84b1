import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { startMailPeer } from '../../../test/peers/mail-peer.ts'
import { ADA, MARA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { masked, refused, statusesOf } from '../../../test/harness/refused.ts'
import { runJobs } from '../../../test/harness/run-jobs.ts'

const peer = await startMailPeer()
const { api, context, clock } = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url } })

const HOUR = 3_600_000
const NEW = 'mara@new.example'

describe('a new address', () => {
  test('is in force after its link was opened, and not before', async () => {
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

  test('that another account took meanwhile is refused', async () => {
    const secret = await askFor(MARA, NEW)
    await sql`update account set email = ${NEW.toUpperCase()} where id = ${TOM.id}`.execute(context.db)

    expect(await api.put(`/email_verifications/${secret}`)).toMatchObject(refused(400, 'name_taken', { path: 'email' }))
    expect((await api.get('/users/self', { as: MARA })).json.email).toBe(MARA.email)
  })

  test('that is pending for two accounts goes to one', async () => {
    const secrets = [await askFor(MARA, NEW), await askFor(TOM, NEW)]

    const answers = await Promise.all(secrets.map((secret) => api.put(`/email_verifications/${secret}`)))

    expect(statusesOf(answers)).toEqual([200, 400])
  })

  test('replaced by another one invalidates the earlier link', async () => {
    const first = await askFor(MARA, NEW)
    await askFor(MARA, 'mara@newer.example')

    expect(await api.put(`/email_verifications/${first}`)).toMatchObject(refused(404, 'not_found'))
  })

  test('gives one response for a deleted account, after 24 hours, and for an unknown secret', async () => {
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

  test('requires a pending address and a signed-in caller', async () => {
    expect(await api.post('/email_verifications', { as: MARA })).toMatchObject(refused(404, 'not_set'))
    expect(await api.post('/email_verifications')).toMatchObject(refused(401, 'authentication_required'))
  })

  test('reveals nothing about an address of another account', async () => {
    await sql`update account set pending_email = ${ADA.email} where id = ${MARA.id}`.execute(context.db)

    expect((await api.post('/email_verifications', { as: MARA })).status).toBe(202)
    await runJobs(context)
    expect(peer.mails).toMatchObject([{ to: [ADA.email], subject: 'Your address on Waypost' }])
    expect((await sql`select from mailed_link`.execute(context.db)).rows).toEqual([])
  })
})

/** Returns the secret of the mailed link. */
async function askFor(person: TestPerson, email: string): Promise<string> {
  await api.patch('/users/self', { as: person, body: { email } })
  await runJobs(context)
  const mail = peer.mails.findLast(({ to }) => to[0] === email)
  return /#([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? ''
}
