import { chmod, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { basic } from '../../../test/harness/client.ts'
import {
  ADA,
  GUS,
  MARA,
  OLGA,
  PASSWORD,
  type TestPerson,
  RITA,
  SAM,
  TOM,
  UMA,
  VICTOR,
} from '../../../test/fixtures/people.ts'
import { LEADS, MARSH, NURSERY, ORCHARD, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { startSvnWorld } from '../../../test/peers/svn.ts'

const { api, context, clock, svn, svnWith, put, dav, root, svnOrigin, whileAway } = await startSvnWorld()
const CORE = `${svnOrigin}/svn/orchard/core`
const HOARD = `${svnOrigin}/svn/vault/hoard`
let core: { id: number; settings: Record<string, unknown> }

beforeAll(async () => {
  const settings = { layout: ['trunk', 'secret'] }
  core = (await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name: 'core', settings } })).json
  await api.post('/svn', { as: VICTOR, body: { project_id: VAULT, name: 'hoard', settings } })
})

const reads = async (as: TestPerson, url = CORE) => (await svn(as, 'ls', url)).code === 0
const statusFor = async (as: TestPerson | undefined, path: string, method = 'GET') =>
  (await dav(method, path, as && { as })).status
const keyOf = async (as: TestPerson, scopes: string[], projects: number[] | null = null) =>
  (await api.post('/access_keys', { headers: basic(as), body: { description: 'svn', scopes, projects } })).json

describe('sign-in', () => {
  test('accepts the password, and the login in any case; the commit has the canonical login', async () => {
    expect((await put({ ...TOM, login: 'Tom' }, `${CORE}/trunk/a.txt`, 'a', 'A file.')).error).toBe('')
    expect((await svn(TOM, 'log', '-r', 'HEAD', CORE)).out).toContain('| tom |')
    expect((await svnWith(TOM, 'wrong', 'ls', CORE)).error).toContain('Authentication failed')
    expect((await svnWith({ ...TOM, login: 'nobody' }, PASSWORD, 'ls', CORE)).error).toContain('Authentication failed')
  })

  test('accepts a Subversion key of its owner until it is deleted', async () => {
    const { identifier } = await keyOf(TOM, ['write:svn'])
    const id = /-k1-(\d+)\./.exec(identifier)?.[1]
    expect((await svnWith(TOM, identifier, 'ls', CORE)).code).toBe(0)
    expect((await svnWith(UMA, identifier, 'ls', CORE)).code).toBe(1)
    const used = await api.get(`/access_keys/${id}`, { as: TOM })
    expect(used.json).toMatchObject({ last_used_by: '127.0.0.1', last_used_on: expect.any(String) })
    await api.delete(`/access_keys/${id}`, { as: TOM })
    expect((await svnWith(TOM, identifier, 'ls', CORE)).code).toBe(1)
  })

  test('K15 a key with read:svn reads, but neither commits nor locks', async () => {
    const { identifier } = await keyOf(TOM, ['read:svn'])
    const headers = { authorization: `Basic ${Buffer.from(`${TOM.login}:${identifier}`).toString('base64')}` }
    expect((await svnWith(TOM, identifier, 'ls', CORE)).code).toBe(0)
    expect((await svnWith(TOM, identifier, 'log', CORE)).code).toBe(0)
    expect((await svnWith(TOM, identifier, 'mkdir', '-m', 'x', `${CORE}/trunk/by-key`)).code).toBe(1)
    for (const method of ['POST', 'PUT', 'DELETE', 'MKCOL', 'COPY', 'PROPPATCH', 'MERGE', 'LOCK', 'UNLOCK', 'CHECKOUT'])
      expect((await dav(method, '/svn/orchard/core/trunk', { headers })).status, method).toBe(401)
    expect((await svn(TOM, 'ls', `${CORE}/trunk/by-key`)).code).toBe(1)
  })

  test('K16 a key that is limited to projects opens only their repositories', async () => {
    const elsewhere = await keyOf(MARA, ['write:svn'], [NURSERY])
    const here = await keyOf(MARA, ['write:svn'], [ORCHARD])
    expect((await svnWith(MARA, elsewhere.identifier, 'ls', CORE)).error).toContain('not found')
    expect((await svnWith(MARA, here.identifier, 'ls', CORE)).code).toBe(0)
    expect((await svnWith(MARA, here.identifier, 'mkdir', '-m', 'x', `${CORE}/trunk/within`)).code).toBe(0)
    await sql`update repository set required_states = '{Open}' where id = ${core.id}`.execute(context.db)
    expect((await svnWith(MARA, here.identifier, 'mkdir', '-m', 'x', `${CORE}/trunk/tied`)).code).toBe(1)
    expect((await svnWith(MARA, here.identifier, 'ls', CORE)).code).toBe(0)
    await sql`update repository set required_states = '{}' where id = ${core.id}`.execute(context.db)
  })

  test('Z41 refuses a key without a Subversion scope, for every path', async () => {
    const headers = { authorization: `Basic ${Buffer.from(`${TOM.login}:${TOM.key}`).toString('base64')}` }
    const answers = await Promise.all(
      ['/svn/orchard/core', '/svn/vault/hoard', '/svn/vault/none', '/svn/none/none', '/'].map((path) =>
        dav('PROPFIND', path, { headers }),
      ),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(401)
  })

  test('Z46 requires credentials, and reports a hidden repository as absent', async () => {
    const paths = [
      '/svn/orchard/core/',
      '/svn/vault/hoard/',
      '/svn/vault/none/',
      '/svn/none/none/',
      '/svn/',
      '/',
      '/svnplugin/vault/hoard/',
    ]
    for (const method of [
      'GET',
      'OPTIONS',
      'PROPFIND',
      'REPORT',
      'MKACTIVITY',
      'PUT',
      'DELETE',
      'COPY',
      'LOCK',
      'MERGE',
      'POST',
    ])
      for (const path of paths) {
        const { status, headers } = await dav(method, path)
        expect([status, headers['www-authenticate']], `${method} ${path}`).toEqual([401, 'Basic realm="Waypost"'])
      }
    const hidden = paths.filter((path) => !path.includes('core'))
    for (const method of ['GET', 'OPTIONS', 'PROPFIND', 'REPORT', 'DELETE', 'POST']) {
      const answers = await Promise.all(hidden.map((path) => dav(method, path, { as: TOM })))
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)), method).toEqual(
        new Set(['404 There is no such repository, or it is not for you.\n']),
      )
    }
    expect((await svn(TOM, 'ls', HOARD)).error).toContain('not found')
    expect(await reads(VICTOR, HOARD)).toBe(true)
  })

  test('A07 suspension and an expired password apply to the next request', async () => {
    expect(await reads(UMA)).toBe(true)
    expect(await reads(SAM)).toBe(false)
    expect((await audited(context, 'sign_in', 'refused')).map(({ reason }) => reason)).toContain('account_suspended')
    await api.patch(`/users/${UMA.id}`, { as: ADA, body: { values: { status: 'S' } } })
    expect(await statusFor(UMA, '/svn/orchard/core/')).toBe(401)
    await api.patch(`/users/${UMA.id}`, { as: ADA, body: { values: { status: 'A' } } })
    expect(await statusFor(UMA, '/svn/orchard/core/')).toBe(200)
    await sql`update account set password_hash = null where id = ${UMA.id}`.execute(context.db)
    expect(await statusFor(UMA, '/svn/orchard/core/')).toBe(401)
    await sql`update account set password_hash = (select password_hash from account where id = ${TOM.id}) where id = ${UMA.id}`.execute(
      context.db,
    )
    expect(await statusFor(UMA, '/svn/orchard/core/')).toBe(200)
  })

  test('A07 a changed account type applies to the next request', async () => {
    const become = (is_site_admin: boolean, status: 'A' | 'R') =>
      sql`update account set is_site_admin = ${is_site_admin}, status = ${status} where id = ${OLGA.id}`.execute(
        context.db,
      )
    const seen = async () => [await statusFor(OLGA, '/svn/orchard/core/'), await statusFor(OLGA, '/svn/vault/hoard/')]
    expect(await seen()).toEqual([200, 404])
    await become(true, 'A')
    expect(await seen()).toEqual([200, 403]) // The sign-in succeeds; the access file denies the path.
    await become(false, 'R')
    expect(await seen()).toEqual([404, 404])
    await become(false, 'A')
    expect(await seen()).toEqual([200, 404])
  })

  test('A13 wrong passwords count toward the common limit, and a key keeps working', async () => {
    const { identifier } = await keyOf(RITA, ['write:svn'])
    const headers = { authorization: `Basic ${Buffer.from(`${RITA.login}:wrong`).toString('base64')}` }
    const statuses = []
    for (let attempt = 0; attempt < 12; attempt++)
      statuses.push((await dav('GET', '/svn/orchard/core/', { headers })).status)
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 401))
    expect(statuses.slice(10)).toEqual([429, 429])
    expect((await svnWith(RITA, identifier, 'ls', CORE)).error).toContain('not found')
    clock.advance(16 * 60_000)
  })

  test('C04 a browser renders no response', async () => {
    await put(TOM, `${CORE}/trunk/shown.txt`, 'shown', 'One to look at')
    const { status, headers } = await dav('GET', '/svn/orchard/core/trunk/shown.txt', { as: TOM })
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    expect(headers['cache-control']).toContain('private')
  })

  test('without the server all requests are refused, with the reason', async () => {
    await whileAway(async () => {
      const { code, error } = await svn(TOM, 'ls', CORE)
      expect(code).toBe(1)
      expect(error).toContain('Waypost cannot be reached')
      expect((await put(TOM, `${CORE}/trunk/b.txt`, 'b', 'B')).error).toContain('Waypost cannot be reached')
      expect(await statusFor(undefined, '/svn/orchard/core/')).toBe(401)
    })
    expect(await reads(TOM)).toBe(true)
  })
})

describe('the access file', () => {
  const set = (changes: object) =>
    api.put(`/svn/${core.id}`, { as: MARA, body: { settings: { ...core.settings, ...changes } } })
  const writes = async (as: TestPerson, path: string) =>
    (await svn(as, 'mkdir', '-m', 'x', `${CORE}/${path}-${crypto.randomUUID()}`)).code === 0

  test('grants read to all users and write to members in a public project, and only members access to a private one', async () => {
    await set({})
    expect([await reads(OLGA), await writes(OLGA, 'trunk/x')]).toEqual([true, false])
    expect([await reads(TOM), await writes(TOM, 'trunk/x')]).toEqual([true, true])
    expect([await reads(VICTOR, HOARD), await reads(ADA, HOARD), await reads(TOM, HOARD)]).toEqual([true, false, false])
    expect(await statusFor(ADA, '/svn/vault/hoard/')).toBe(403)
  })

  test('Z36 applies to the next request after a change of members, groups, logins or visibility', async () => {
    await set({ access_file: '[/secret]\n* =\n@leads = rw' })
    const secret = '/svn/orchard/core/secret/'
    expect([await statusFor(UMA, secret), await statusFor(TOM, secret), await statusFor(GUS, secret)]).toEqual([
      200, 403, 200,
    ])
    const putGroup = (id: string, people: readonly TestPerson[]) =>
      api.put(`/user_groups/${id}/users`, {
        as: MARA,
        body: { user_references: people.map(({ id: account }) => ({ id: account })) },
      })
    await putGroup(String(LEADS), [TOM])
    expect([await statusFor(UMA, secret), await statusFor(TOM, secret), await statusFor(GUS, secret)]).toEqual([
      403, 200, 403,
    ])
    await putGroup(String(LEADS), [])
    expect([await statusFor(TOM, secret), await statusFor(TOM, '/svn/orchard/core/trunk/')]).toEqual([403, 200])
    await putGroup(String(LEADS), [UMA, GUS])
    await putGroup(`${ORCHARD}_3`, [MARA, UMA])
    expect([await writes(TOM, 'trunk/x'), await reads(TOM)]).toEqual([false, true])
    await sql`update project set access = 'private' where id = ${ORCHARD}`.execute(context.db)
    expect([await statusFor(TOM, '/svn/orchard/core/'), await statusFor(UMA, '/svn/orchard/core/')]).toEqual([404, 200])
    expect(await statusFor(GUS, secret)).toBe(404)
    await sql`update project set access = 'public' where id = ${ORCHARD}`.execute(context.db)
    await putGroup(`${ORCHARD}_3`, [MARA, UMA, TOM])
    await api.patch(`/users/${TOM.id}`, { as: ADA, body: { values: { username: 'thomas' } } })
    const thomas = { ...TOM, login: 'thomas' }
    expect([await writes(thomas, 'trunk/x'), await reads(TOM)]).toEqual([true, false])
    await api.patch(`/users/${TOM.id}`, { as: ADA, body: { values: { username: 'tom' } } })
    expect(await writes(TOM, 'trunk/x')).toBe(true)
  })

  test('overrides the generated sections', async () => {
    await set({ access_file: '[groups]\nfriends = olga\n[/]\n* =\n@friends = r' })
    expect([await reads(OLGA), await reads(VICTOR), await writes(TOM, 'trunk/x')]).toEqual([true, false, true])
    await set({ access_file: '[/]\n@members = r' })
    expect([await reads(VICTOR), await writes(TOM, 'trunk/x')]).toEqual([true, false])
    await set({ access_file: '[/trunk]\nolga = rw', has_default_permissions: false })
    expect([await statusFor(TOM, '/svn/orchard/core/'), await writes(OLGA, 'trunk/x')]).toEqual([403, true])
    await set({ access_file: '[core:/]\n* =\n', has_default_permissions: true })
    expect(await statusFor(TOM, '/svn/orchard/core/')).toBe(403)
  })

  test('Z38 is stored as written, except for line ends, surrounding space and unknown groups', async () => {
    const { status, json } = await set({
      access_file: '\r\n\r\n[/a]\r\n@gone = rw\r\n@members = r\r\n@Leads = r\r\n\n',
    })
    expect(status).toBe(200)
    expect(json.settings.access_file).toBe('[/a]\n# @gone = rw\n@members = r\n# @Leads = r')
    expect(json.warnings).toEqual([
      { line: 2, group: 'gone' },
      { line: 4, group: 'Leads' },
    ])
    expect([await reads(TOM), await statusFor(OLGA, '/svn/orchard/core/')]).toEqual([true, 200])
  })

  test('Z38 stays in force when a new one is refused, and denies everything if it is unreadable', async () => {
    await set({ access_file: '[/secret]\n* =\n' })
    expect((await set({ access_file: '[/secret' })).status).toBe(400)
    expect([await statusFor(TOM, '/svn/orchard/core/secret/'), await reads(TOM)]).toEqual([403, true])
    const file = join(root, 'repositories', 'orchard', 'core', 'conf', 'authz')
    await chmod(file, 0)
    expect(await reads(TOM)).toBe(false)
    await rename(file, `${file}.broken`)
    expect(await reads(TOM)).toBe(true)
  })

  test('gets a new version only when it changes', async () => {
    const versions = async () => {
      const { rows } = await sql<{ version: number; text: string }>`
        select version, text from repository_access_file where repository_id = ${core.id} order by version`.execute(
        context.db,
      )
      return rows
    }
    const before = (await versions()).length
    await set({ access_file: '[/one]\n* = r' })
    await set({ access_file: '[/one]\n* = r' })
    await set({ access_file: '[/one]\n* = r', immutable_tags: { paths: ['/tags'], whitelist: [] } })
    await set({ access_file: '[/one]\n* = r', has_default_permissions: false })
    await set({ access_file: '[/one]\n* = r' })
    const after = await versions()
    expect(after.map(({ version }) => version)).toEqual(after.map((_, at) => at + 1))
    expect(after.length - before).toBe(3)
  })

  test('follows a changed login, and drops an erased one', async () => {
    await set({ access_file: '[groups]\nfriends = olga, gus\n[/secret]\n* =\nolga = rw\n~olga = r' })
    await api.patch(`/users/${OLGA.id}`, { as: ADA, body: { values: { username: 'olga2' } } })
    const text = async () => (await api.get(`/svn/${core.id}`, { as: MARA })).json.settings.access_file
    expect(await text()).toBe('[groups]\nfriends = olga2, gus\n[/secret]\n* =\nolga2 = rw\n~olga2 = r')
    expect(await statusFor({ ...OLGA, login: 'olga2' }, '/svn/orchard/core/secret/')).toBe(200)
    await api.delete(`/users/${OLGA.id}`, { as: ADA, body: { confirm: 'olga2' } })
    expect(await text()).toBe(
      `[groups]\nfriends = erased-${OLGA.id}, gus\n[/secret]\n* =\nerased-${OLGA.id} = rw\n~erased-${OLGA.id} = r`,
    )
  })
})

test('an archived project is read, and refuses commits and locks with the reason', async () => {
  await put(TOM, `${CORE}/trunk/seed`, 'apple', 'A seed.')
  await api.patch(`/projects/${ORCHARD}`, { as: MARA, body: { status: 'archived' } })
  expect((await svn(TOM, 'cat', `${CORE}/trunk/seed`)).out).toBe('apple')
  for (const person of [TOM, MARA, ADA]) {
    const late = await svn(person, 'mkdir', '-m', 'Late.', `${CORE}/late`)
    expect(late.code).toBe(1)
    expect(await statusFor(person, '/svn/orchard/core/trunk/seed', 'LOCK')).toBe(403)
  }
  await api.patch(`/projects/${ORCHARD}`, { as: MARA, body: { status: 'active' } })
  expect((await svn(TOM, 'mkdir', '-m', 'In time.', `${CORE}/in-time`)).code).toBe(0)
})

test('a suspended project is served only to site administrators', async () => {
  await api.patch(`/projects/${ORCHARD}`, { as: ADA, body: { status: 'suspended' } })
  expect([await statusFor(TOM, '/svn/orchard/core/'), await statusFor(ADA, '/svn/orchard/core/')]).toEqual([404, 200])
  expect(MARSH).toBeGreaterThan(0)
})
