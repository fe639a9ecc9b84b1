import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, test } from 'vitest'
import { startWorld, testConfig } from '../../../test/harness/start-world.ts'
import {
  EVIL_ORIGIN,
  CROSS_SITE_HEADERS,
  SAME_ORIGIN_HEADERS,
  signInWithCookie,
} from '../../../test/harness/browser-requests.ts'
import { MARA, PASSWORD } from '../../../test/fixtures/people.ts'
import { refused } from '../../../test/harness/refused.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { isOwnVisit, requireNotCrossSite } from './same-origin.ts'

const { api } = await startWorld({ seedOnce: true }) // All requests here are refused, so nothing changes.

const OWN = 'https://waypost.example'

describe('a session cookie', () => {
  test.each([
    { headers: SAME_ORIGIN_HEADERS, counts: true },
    { headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'same-origin' }, counts: true },
    { headers: { origin: OWN }, counts: true },
    { headers: { referer: `${OWN}/projects/2001?x=1` }, counts: true },
    { headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }, counts: false },
    { headers: { 'sec-fetch-site': 'same-origin' }, counts: false },
    { headers: { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }, counts: false },
    { headers: { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'cors' }, counts: false },
    { headers: { origin: 'http://waypost.example' }, counts: false },
    { headers: { origin: 'https://waypost.example:8443' }, counts: false },
    { headers: { origin: 'https://waypost.example.evil.example' }, counts: false },
    { headers: { referer: 'nonsense' }, counts: false },
    { headers: { origin: EVIL_ORIGIN, host: 'evil.example', 'x-forwarded-host': 'evil.example' }, counts: false },
    ...CROSS_SITE_HEADERS.map((headers) => ({ headers, counts: false })),
  ])('with $headers counts on /api: $counts', async ({ headers, counts }) => {
    const { cookie } = await signInWithCookie(api, MARA)

    for (const method of ['GET', 'DELETE']) {
      const answer = await api.request(method, '/session', { headers: { ...headers, cookie }, reader: MARA })
      expect(answer).toMatchObject(counts ? { status: 200 } : refused(403, 'cross_site_cookie'))
    }
  })

  test('is ignored beside an explicit header', async () => {
    const { cookie } = await signInWithCookie(api, MARA)

    expect((await api.get('/users/self', { as: MARA, headers: { cookie, origin: EVIL_ORIGIN } })).status).toBe(200)
  })
})

describe('a page of another site', () => {
  test.each(CROSS_SITE_HEADERS.slice(0, -1))('A23 cannot sign in with %j, nor sign out', async (headers) => {
    const { cookie } = await signInWithCookie(api, MARA)
    const body = { username: 'mara', password: PASSWORD }
    const form = new URLSearchParams(body).toString()

    const login = await api.post('/session', { headers, body })
    expect(login).toMatchObject(refused(403, 'cross_site_cookie'))
    expect(login.headers['set-cookie']).toBeUndefined()
    const asForm = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
    expect(await api.post('/session', { headers: asForm, body: form })).toMatchObject(refused(403, 'cross_site_cookie'))
    expect(await api.delete('/session', { headers: { ...headers, cookie } })).toMatchObject(
      refused(403, 'cross_site_cookie'),
    )
    expect((await api.get('/session', { headers: { ...SAME_ORIGIN_HEADERS, cookie }, reader: MARA })).status).toBe(200)

    const tokens = await api.post('/tokens', { headers: asForm, body: form })
    expect(tokens.headers['set-cookie']).toBeUndefined()
    expect(tokens.headers['access-control-allow-credentials']).toBeUndefined()
  })

  test('A23/first is refused before its body is read', async () => {
    expect(await api.post('/session', { headers: { origin: EVIL_ORIGIN }, body: '{' })).toMatchObject(
      refused(403, 'cross_site_cookie'),
    )
  })

  test('is distinguished from a client without a page', async () => {
    expect((await api.post('/session', { body: { username: 'mara', password: PASSWORD }, reader: MARA })).status).toBe(
      201,
    )
  })

  test.each([EVIL_ORIGIN, 'null', 'https://waypost.example.evil.example'])(
    'A21 from %s is never echoed, and cookies are ignored',
    async (origin) => {
      const { cookie } = await signInWithCookie(api, MARA)
      const answers = [
        await api.request('OPTIONS', '/users/self', { headers: { origin, 'access-control-request-method': 'PATCH' } }),
        await api.get('/users/self', { as: MARA, headers: { origin } }),
        await api.get('/users/self', { headers: { origin, cookie } }),
      ]

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 403])
      for (const { headers } of answers) {
        expect(headers['access-control-allow-origin']).toBe('*')
        expect(headers['access-control-allow-credentials']).toBeUndefined()
      }
    },
  )
})

describe('a visit', () => {
  const config = testConfig({ WAYPOST_DATABASE_URL: 'postgres://nowhere/nothing' })

  const refusalOf = (headers: IncomingHttpHeaders) => {
    try {
      requireNotCrossSite(headers, config)
      return undefined
    } catch (error) {
      return error instanceof ApiError ? error.reason : String(error)
    }
  }

  test.each([
    { headers: {}, own: true },
    { headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }, own: true },
    { headers: { 'sec-fetch-site': 'none' }, own: true },
    { headers: { 'sec-fetch-site': 'none', origin: EVIL_ORIGIN }, own: true },
    { headers: { 'sec-fetch-site': 'same-site' }, own: false },
    { headers: { 'sec-fetch-site': 'cross-site' }, own: false },
    { headers: { 'sec-fetch-site': 'cross-site', origin: OWN }, own: false },
    { headers: { origin: OWN }, own: true },
    { headers: { referer: `${OWN}/projects` }, own: true },
    { headers: { origin: EVIL_ORIGIN }, own: false },
    { headers: { referer: `${EVIL_ORIGIN}/` }, own: false },
    { headers: { origin: EVIL_ORIGIN, referer: `${OWN}/` }, own: false },
  ])('with $headers is our own: $own', ({ headers, own }) => {
    expect(isOwnVisit(headers, config)).toBe(own)
  })

  test.each([
    { headers: {}, isRefused: false },
    { headers: SAME_ORIGIN_HEADERS, isRefused: false },
    { headers: { origin: OWN }, isRefused: false },
    { headers: { referer: `${OWN}/` }, isRefused: false },
    { headers: { referer: `${EVIL_ORIGIN}/` }, isRefused: true },
    { headers: { origin: EVIL_ORIGIN }, isRefused: true },
    { headers: { 'sec-fetch-site': 'none' }, isRefused: true },
  ])('with $headers does not sign in: $isRefused', ({ headers, isRefused }) => {
    expect(refusalOf(headers)).toBe(isRefused ? 'cross_site_cookie' : undefined)
  })
})
