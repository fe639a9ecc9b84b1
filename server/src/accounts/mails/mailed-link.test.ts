import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { basic } from '../../../test/harness/client.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { startMailPeer } from '../../../test/peers/mail-peer.ts'
import { ADA, MARA, PASSWORD, TOM } from '../../../test/fixtures/people.ts'
import { refused } from '../../../test/harness/refused.ts'
import { runJobs } from '../../../test/harness/run-jobs.ts'

const peer = await startMailPeer()
const { api, context } = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url } })

const NEXT = 'a quite different horse'
const HOME = 'mara@home.example'
const gone = refused(404, 'not_found')

describe('the mailed links of an account', () => {
  test.each([
    {
      change: 'its password is changed',
      run: () =>
        api.put('/users/self/password', {
          headers: basic(MARA),
          reader: MARA,
          body: { current_password: PASSWORD, new_password: NEXT },
        }),
    },
    { change: 'a new address is verified', run: async (links: Links) => api.put(links.email) },
    { change: 'its password is reset', run: (links: Links) => api.put(links.reset, { body: { new_password: NEXT } }) },
    { change: 'an administrator sets its address', run: () => patchMara({ email: 'mara@new.example' }) },
    { change: 'an administrator resets its password', run: () => patchMara({ password_reset: true }) },
    {
      change: 'it is suspended and activated',
      run: async () => [await patchMara({ status: 'S' }), await patchMara({ status: 'A' })][1],
    },
  ])('N01 end when $change', async ({ run }) => {
    const links = await mailLinks()

    expect((await run(links))?.status).toBe(200)

    expect(await api.get(links.reset)).toMatchObject(gone)
    expect(await api.put(links.reset, { body: { new_password: 'yet another horse' } })).toMatchObject(gone)
    expect(await api.put(links.email)).toMatchObject(gone)
  })

  test('N02 are not created by a mail that was queued before the change', async () => {
    await api.post('/password_resets', { body: { login: 'mara' } })
    await api.patch('/users/self', { headers: basic(MARA), reader: MARA, body: { values: { email: HOME } } })
    await sql`update job set created_on = created_on - interval '1 minute'`.execute(context.db)
    const body = { current_password: PASSWORD, new_password: NEXT }
    expect((await api.put('/users/self/password', { headers: basic(MARA), reader: MARA, body })).status).toBe(200)

    await runJobs(context)

    expect(peer.mails.filter(({ text }) => text.includes('#'))).toEqual([])
    await api.post('/password_resets', { body: { login: 'mara' } })
    await runJobs(context)
    expect((await api.get(`/password_resets/${secretIn('reset')}`)).status).toBe(200)
  })

  test('N01/others remain when another account changes', async () => {
    const { reset } = await mailLinks()

    const body = { current_password: PASSWORD, new_password: NEXT }
    expect((await api.put('/users/self/password', { headers: basic(TOM), reader: TOM, body })).status).toBe(200)

    expect((await api.get(reset)).status).toBe(200)
  })
})

interface Links {
  reset: string
  email: string
}

/** A password reset link, and an email verification link. */
async function mailLinks(): Promise<Links> {
  await api.post('/password_resets', { body: { login: 'mara' } })
  const values = { email: HOME }
  expect((await api.patch('/users/self', { headers: basic(MARA), reader: MARA, body: { values } })).status).toBe(200)
  await runJobs(context)
  return { reset: `/password_resets/${secretIn('reset')}`, email: `/email_verifications/${secretIn('email')}` }
}

function secretIn(page: string): string {
  const pattern = new RegExp(`account/${page}#([\\w-]{43})`)
  return peer.mails.flatMap(({ text }) => pattern.exec(text)?.[1] ?? []).at(-1) ?? ''
}

function patchMara(values: object) {
  return api.patch(`/users/${MARA.id}`, { as: ADA, body: { values } })
}
