import { afterAll, beforeAll, expect, test } from 'vitest'
import { syncDirectory } from '../../accounts/directories/sync/sync-directory.ts'
import { findDirectory } from '../../accounts/directories/directory.ts'
import { DIRECTORY_PASSWORD, personLdif } from '../../../test/fixtures/directory-people.ts'
import { ADA, MARA, PASSWORD, TOM } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { basic } from '../../../test/harness/client.ts'
import { slapdSettings, startSlapd } from '../../../test/peers/slapd.ts'
import { startSvnWorld } from '../../../test/peers/svn.ts'

const slapd = await startSlapd({ ldif: personLdif({ login: 'tom', name: TOM.real_name, email: TOM.email }) })
afterAll(() => slapd.close())
const { api, context, clock, svnWith, dav, svnOrigin } = await startSvnWorld()
const CORE = `${svnOrigin}/svn/orchard/core`

beforeAll(async () => {
  await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name: 'core', settings: { layout: ['trunk'] } } })
  await api.post('/directories', { as: ADA, body: { name: 'company', ...slapdSettings(slapd), match_by: 'email' } })
  const directory = await findDirectory(context.db, 'company')
  if (directory) await syncDirectory(context, directory)
})

test('an svn client and Basic sign in with the password of a directory, and learn that it is down', async () => {
  expect(await svnWith(TOM, DIRECTORY_PASSWORD, 'ls', CORE)).toMatchObject({ code: 0, out: 'trunk/\n' })
  expect((await svnWith(TOM, PASSWORD, 'ls', CORE)).code).not.toBe(0)
  const headers = basic(TOM, DIRECTORY_PASSWORD)
  expect((await api.get('/users/self', { headers, reader: TOM })).status).toBe(200)

  await slapd.stop()
  clock.advance(60_000)
  const {
    status,
    headers: answered,
    text,
  } = await dav('GET', '/svn/orchard/core/', { headers: { ...asTexts(headers) } })
  expect({ status, retry: answered['retry-after'] }).toEqual({ status: 503, retry: '10' })
  expect(text).toContain('The directory that checks your password cannot be reached')
  expect((await api.get('/users/self', { headers })).json.error.reason).toBe('directory_unavailable')
  expect((await api.get('/users/self', { as: TOM })).status).toBe(200)
})

function asTexts(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
