import { beforeAll, describe, expect, test } from 'vitest'
import type { MadeTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { signInWithCookie } from '../../../test/harness/browser-requests.ts'
import { MARA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { attach, callBytes, makeFileTracker, uploadTestFile } from '../../../test/fixtures/uploads.ts'

const MAIN = 'https://waypost.example'
const APART = 'https://files.example'

const { api, clock, context } = await startWorld({ seedOnce: true, environment: { WAYPOST_FILES_URL: APART } })
let parcels: MadeTracker
let path = ''
let secret = ''
beforeAll(async () => {
  parcels = await makeFileTracker(api)
  const make = async (field: string, as: TestPerson) => {
    const id = await uploadTestFile(api, parcels.field(field), `of ${field}`, { as, name: 'a b.txt' })
    await attach(api, parcels, [id], { as, field })
    return `/files/${id}/a%20b.txt`
  }
  path = await make('papers', TOM)
  secret = await make('secrets', MARA)
})

const FROM_PAGE = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }
const onMain = (at: string, headers: Record<string, string> = {}) =>
  callBytes(api, at, { headers: { host: new URL(MAIN).host, ...headers } })
const apart = (at: string, headers: Record<string, string> = {}, method = 'GET') =>
  callBytes(api, at, { method, headers: { host: new URL(APART).host, ...headers } })
const inside = (location: string | null) => String(location).replace(APART, '')

describe('a separate host for files', () => {
  test('is the redirect target for browsers, with a ticket instead of a cookie', async () => {
    const { cookie } = await signInWithCookie(api, MARA)
    const led = await onMain(secret, { cookie, ...FROM_PAGE })
    const location = String(led.headers.get('location'))

    expect(led.status).toBe(302)
    expect(location).toMatch(new RegExp(`^${APART}${secret}\\?ticket=${MARA.id}\\.\\d+\\.[\\w-]+$`))
    const { status, text, headers } = await apart(inside(location))
    expect([status, text]).toEqual([200, 'of secrets'])
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  })

  test('is the redirect target for anonymous viewers too', async () => {
    const led = await onMain(path)

    expect(led.status).toBe(302)
    expect((await apart(inside(led.headers.get('location')))).text).toBe('of papers')
    expect((await onMain(secret)).status).toBe(401)
  })

  test('is skipped for programs, which get the file directly', async () => {
    expect((await onMain(path, { 'x-auth-accesskey': TOM.key })).text).toBe('of papers')
  })

  test('takes a ticket for one file and a few minutes, and redirects back when it expires', async () => {
    const { cookie } = await signInWithCookie(api, MARA)
    const location = inside((await onMain(secret, { cookie, ...FROM_PAGE })).headers.get('location'))
    const ticket = location.split('?')[1]
    const forged = `${path}?${ticket}`
    const asTom = location.replace(`ticket=${MARA.id}`, `ticket=${TOM.id}`)

    expect((await apart(location)).status).toBe(200)
    for (const wrong of [
      forged,
      asTom,
      secret,
      `${secret}?ticket=`,
      `${secret}?ticket=1.2.3`,
      `${location}&${ticket}`,
    ]) {
      const { status, headers } = await apart(wrong)
      expect([status, headers.get('location')]).toEqual([302, `${MAIN}${wrong.split('?')[0]}`])
    }
    clock.advance(5 * 60_000)
    expect((await apart(location)).headers.get('location')).toBe(`${MAIN}${secret}`)
  })

  test('refuses a ticket once the permission is withdrawn', async () => {
    const { cookie } = await signInWithCookie(api, MARA)
    const location = inside((await onMain(secret, { cookie, ...FROM_PAGE })).headers.get('location'))
    await context.db.updateTable('account').set({ status: 'S' }).where('id', '=', MARA.id).execute()

    expect((await apart(location)).status).toBe(302)
    await context.db.updateTable('account').set({ status: 'A' }).where('id', '=', MARA.id).execute()
    expect((await apart(location)).status).toBe(200)
  })

  test('C03 ignores cookies and serves nothing else', async () => {
    const { cookie } = await signInWithCookie(api, MARA)

    expect((await apart(secret, { cookie, ...FROM_PAGE })).status).toBe(302)
    for (const other of [
      '/api/projects',
      '/api/explorer/',
      '/healthz',
      '/goto?key=art&val=1',
      '/users/tom',
      '/uploads/1',
    ])
      expect((await apart(other, { cookie })).status).toBe(404)
    expect((await apart('/uploads/1', {}, 'OPTIONS')).status).toBe(404)
  })
})

test('cannot be the main host', async () => {
  await expect(startWorld({ environment: { WAYPOST_FILES_URL: MAIN } })).rejects.toThrow(/another host/)
})
