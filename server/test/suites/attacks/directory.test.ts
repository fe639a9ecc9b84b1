import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { findDirectory } from '../../../src/accounts/directories/directory.ts'
import { syncDirectory } from '../../../src/accounts/directories/sync/sync-directory.ts'
import { poolState } from '../../../src/platform/database/db.ts'
import { DIRECTORY_PASSWORD, personDn, personLdif } from '../../fixtures/directory-people.ts'
import { ADA, MARA, PASSWORD, TOM } from '../../fixtures/people.ts'
import { SAME_ORIGIN_HEADERS } from '../../harness/browser-requests.ts'
import { refused } from '../../harness/refused.ts'
import { startWorld } from '../../harness/start-world.ts'
import { standInTheMiddle } from '../../peers/directory-in-the-middle.ts'
import { PEOPLE_BASE, slapdSettings, startSlapd } from '../../peers/slapd.ts'

// Sign-in by LDAP, against a real directory that takes binds without a password as successful, as many do.
const QUOTED = `cn=Quinn\\, Q.+sn=\\"Q\\",${PEOPLE_BASE}`
const elsewhere = await standInTheMiddle('ldap://127.0.0.1:1', 'pass')
const slapd = await startSlapd({
  ldif: [
    personLdif({ login: 'nina', name: 'Nina New', email: 'nina@orchard.example' }),
    personLdif({ login: 'thief', name: 'Thief', email: TOM.email }),
    personLdif({ login: 'usurper', name: 'Usurper', email: ADA.email }),
    `dn: ${QUOTED}\nobjectClass: inetOrgPerson\nuid: quinn\ncn: Quinn, Q.\nsn: "Q"\nmail: q@orchard.example\nuserPassword: ${DIRECTORY_PASSWORD}\n`,
    `dn: ou=branch,${PEOPLE_BASE}\nobjectClass: organizationalUnit\nou: branch\n`,
    personLdif({ login: 'twin', name: 'Twin one', email: 'one@orchard.example' }),
    personLdif({ login: 'twin', name: 'Twin two', email: 'two@orchard.example' }).replace(
      personDn('twin'),
      `uid=twin,ou=branch,${PEOPLE_BASE}`,
    ),
    `dn: ou=far,${PEOPLE_BASE}\nobjectClass: referral\nobjectClass: extensibleObject\nou: far\nref: ldap://127.0.0.1:${elsewhere.port}/${PEOPLE_BASE}\n`,
  ].join('\n'),
})
const stranger = await startSlapd({ names: 'DNS:another.example' })
const withoutTls = await startSlapd({ names: null })
afterAll(() => Promise.all([slapd, stranger, withoutTls].map((each) => each.close())))
const { api, context, clock } = await startWorld({ environment: { WAYPOST_DATABASE_POOL: '4' } })

let tests = 0
beforeEach(async () => {
  clock.advance(++tests * 600_000) // The server has forgotten failures of the test before.
  const body = { name: 'company', ...slapdSettings(slapd), new_accounts: 'at_sign_in' }
  const answer = await api.post('/directories', { as: ADA, body })
  if (answer.status !== 201) throw new Error(answer.text)
})

const change = async (body: object) => {
  const answer = await api.patch('/directories/company', { as: ADA, body })
  if (answer.status !== 200) throw new Error(answer.text)
}
const point = (urls: string[], tls: string, more: object = {}) =>
  change({ urls, tls, bind_password: slapdSettings(slapd)['bind_password'], ...more })
const signIn = (username: string, password = DIRECTORY_PASSWORD) =>
  api.post('/session', { headers: SAME_ORIGIN_HEADERS, body: { username, password } })
const wrong = refused(401, 'credentials_invalid')
const unavailable = refused(503, 'directory_unavailable')
const accounts = async () => (await sql`select from directory_account`.execute(context.db)).rows.length
const sync = async () => {
  const directory = await findDirectory(context.db, 'company')
  return directory && syncDirectory(context, directory)
}

describe('a login', () => {
  test.each(['*', 'nin*', 'nina)(uid=*', '*)(|(objectClass=*', 'nina)(|(cn=*', '\\2a', 'nina\\', '(uid=nina)'])(
    'E01 with the syntax of filters (%s) finds nobody',
    async (login) => {
      expect(await signIn(login)).toMatchObject(wrong)
      expect(await accounts()).toBe(0)
    },
  )

  test.each([`nina,${PEOPLE_BASE}`, personDn('nina'), 'nina+cn=x', '"nina"', 'nina#', 'nina;x'])(
    'E02 with the syntax of names (%s) finds nobody',
    async (login) => {
      expect(await signIn(login)).toMatchObject(wrong)
      expect(await accounts()).toBe(0)
    },
  )

  test('E02 of an entry whose name needs escapes signs in', async () => {
    expect(await signIn('quinn')).toMatchObject({ status: 201 })
  })

  test('E09 of two entries signs nobody in', async () => {
    expect(await signIn('twin')).toMatchObject(wrong)
    expect(await accounts()).toBe(0)
  })
})

describe('an empty password', () => {
  test('E03 is not sent, by no way to sign in, though the directory would take it', async () => {
    await slapd.admin.bind(personDn('nina'), '')
    await slapd.stop()
    await slapd.start()
    await signIn('nina')
    clock.advance(60_000)
    expect(await signIn('nina', '')).toMatchObject(wrong)
    expect(await api.post('/tokens', { body: { username: 'nina', password: '' } })).toMatchObject(wrong)
    const authorization = `Basic ${Buffer.from('nina:').toString('base64')}`
    expect(await api.get('/users/self', { headers: { authorization } })).toMatchObject(wrong)
  })

  test('E03 of the account that searches is refused', async () => {
    const answer = await api.patch('/directories/company', { as: ADA, body: { bind_password: null } })
    expect(answer.json.error.reason).toBe('parameter_required')
  })
})

describe('a host', () => {
  test('E04 with a certificate of another authority gets no password', async () => {
    await point([slapd.secure], 'ldaps', { ca_certificate: stranger.ca })
    expect(await signIn('nina')).toMatchObject(unavailable)
    await point([slapd.plain], 'starttls', { ca_certificate: null })
    expect(await signIn('nina')).toMatchObject(unavailable)
  })

  test('E05 with a certificate for another name gets no password', async () => {
    for (const [url, tls] of [
      [stranger.secure, 'ldaps'],
      [stranger.plain, 'starttls'],
    ] as const) {
      await point([url], tls, { ca_certificate: stranger.ca })
      expect(await signIn('nina')).toMatchObject(unavailable)
    }
    const { json } = await api.post('/directories/company/test', { as: ADA })
    expect(JSON.stringify(json)).toContain('its certificate is for another name')
  })

  test('E06 that refuses StartTLS, or has it stripped on the way, gets no password', async () => {
    await point([withoutTls.plain], 'starttls')
    expect(await signIn('nina')).toMatchObject(unavailable)
    const middle = await standInTheMiddle(slapd.plain, 'refuse_starttls')
    await point([`ldap://127.0.0.1:${middle.port}`], 'starttls')
    expect(await signIn('nina')).toMatchObject(unavailable)
    expect(middle.connections()).toBeGreaterThan(0)
    // Only the request for StartTLS.
    expect(middle.received().length).toBe(middle.connections() * 31)
  })

  test('E07 with more than the answer to StartTLS in clear text is left', async () => {
    const middle = await standInTheMiddle(slapd.plain, 'inject')
    await point([`ldap://127.0.0.1:${middle.port}`], 'starttls')
    expect(await signIn('nina')).toMatchObject(unavailable)
    expect(middle.received().length).toBe(middle.connections() * 31)
    const { json } = await api.post('/directories/company/test', { as: ADA })
    expect(JSON.stringify(json)).toContain('has sent more than the answer to StartTLS')
  })

  test('E08 that refers to another one does not lead there', async () => {
    await change({ new_accounts: 'by_sync' })
    expect(await signIn('nina')).toMatchObject({ status: 201 })
    expect(await sync()).toMatchObject({ missing: 0 })
    expect(elsewhere.connections()).toBe(0)
  })

  test('E11 with an answer that does not end is cut off', async () => {
    const middle = await standInTheMiddle(slapd.plain, 'endless')
    await point([`ldap://127.0.0.1:${middle.port}`], 'none')
    const begun = performance.now()
    expect(await signIn('nina')).toMatchObject(unavailable)
    expect(performance.now() - begun).toBeLessThan(3000)
    const { json } = await api.post('/directories/company/test', { as: ADA })
    expect(JSON.stringify(json)).toContain('The answer of the directory is too large.')
  })

  test('E12 that does not answer delays nobody else, holds no connection to the database, and ends', async () => {
    slapd.freeze()
    try {
      const begun = performance.now()
      const waiting = Array.from({ length: 30 }, (_, number) => signIn(number % 2 ? 'nina' : `guess${number}`))
      const local = await api.post('/session', {
        headers: SAME_ORIGIN_HEADERS,
        body: { username: MARA.login, password: PASSWORD },
        reader: MARA,
      })
      expect(local.status).toBe(201)
      expect(performance.now() - begun).toBeLessThan(3000)
      expect(poolState(context.db).busy).toBe(0)
      const answers = await Promise.all(waiting)
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503))
      expect(performance.now() - begun).toBeLessThan(10_000)
    } finally {
      slapd.thaw()
    }
  })

  test.each(['ldap://169.254.169.254:389', 'ldap://10.0.0.1:389', 'ldap://127.0.0.1:389'])(
    'E16 inside of the network (%s) is not called without leave',
    async (url) => {
      await point([url], 'starttls', { is_internal: url.includes('169') })
      expect(await signIn('nina')).toMatchObject(unavailable)
      const { json } = await api.post('/directories/company/test', { as: ADA })
      expect(JSON.stringify(json)).toContain('has an address inside of a private network')
    },
  )
})

describe('an entry', () => {
  test('E10 with the address of another account does not become that account', async () => {
    expect(await signIn('thief')).toMatchObject(wrong)
    await change({ new_accounts: 'by_sync' })
    expect(await sync()).toMatchObject({ conflicts: 2 })
    expect(await signIn('thief')).toMatchObject(wrong)
  })

  test('E10 with the address of a site administrator never becomes that account', async () => {
    await change({ match_by: 'email', new_accounts: 'by_sync' })
    expect(await signIn('usurper')).toMatchObject(wrong)
    await sync()
    expect(await signIn('usurper')).toMatchObject(wrong)
    const { rows } = await sql`select from directory_account where account_id = ${ADA.id}`.execute(context.db)
    expect(rows).toEqual([])
  })
})

describe('guesses', () => {
  test('E13 are counted before the directory is asked', async () => {
    await signIn('nina')
    const middle = await standInTheMiddle(slapd.plain, 'pass')
    await point([`ldap://127.0.0.1:${middle.port}`], 'none')
    for (let attempt = 0; attempt < 10; attempt++) expect((await signIn('nina', `guess ${attempt}`)).status).toBe(401)
    const asked = middle.connections()
    expect(asked).toBeGreaterThan(0)
    expect((await signIn('nina', 'guess')).status).toBe(429)
    expect((await signIn('nina')).status).toBe(429)
    expect(middle.connections()).toBe(asked)
  })

  test('E18 beside a remembered password are counted as well', async () => {
    const authorization = `Basic ${Buffer.from(`nina:${DIRECTORY_PASSWORD}`).toString('base64')}`
    expect((await api.get('/users/self', { headers: { authorization } })).status).toBe(200)
    for (let attempt = 0; attempt < 10; attempt++) expect((await signIn('nina', `guess ${attempt}`)).status).toBe(401)
    expect((await api.get('/users/self', { headers: { authorization } })).status).toBe(429)
  })
})

test('E14 passwords are shown nowhere: not in settings, tests, syncs, refusals and the audit log', async () => {
  const shown = [await api.get('/directories', { as: ADA }), await api.get('/directories/company', { as: ADA })]
  shown.push(await signIn('nina'), await signIn('nina', 'a wrong password'))
  await change({ bind_password: 'the second password of the reader' })
  clock.advance(10_000)
  shown.push(await api.post('/directories/company/test', { as: ADA }), await signIn('nina'))
  await expect(sync()).rejects.toThrow('The directory refuses the account that searches')
  shown.push(await api.get('/directories/company', { as: ADA }))
  const { rows } = await sql`select audit::text from audit`.execute(context.db)
  const { rows: stored } = await sql`select directory::text, sync::text from directory
    left join directory_sync sync on true`.execute(context.db)
  const everything = [...shown.map(({ text }) => text), JSON.stringify(rows), JSON.stringify(stored)].join('\n')
  for (const secret of ['password of the reader', DIRECTORY_PASSWORD, 'a wrong password'])
    expect(everything).not.toContain(secret)
})
