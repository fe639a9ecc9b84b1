import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness.ts'
import { EVIL, FOREIGN_PAGES, OWN_PAGE, signInOnPage } from '../../../test/own-page.ts'
import { MARA, PASSWORD } from '../../../test/people.ts'
import { refused } from '../../../test/refused.ts'

const { api } = await startWorld({ seedOnce: true }) // Whatever is tried here, nothing changes.

const OWN = 'https://waypost.example'

describe('a session cookie', () => {
  test.each([
    { headers: OWN_PAGE, counts: true },
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
    { headers: { origin: EVIL, host: 'evil.example', 'x-forwarded-host': 'evil.example' }, counts: false },
    ...FOREIGN_PAGES.map((headers) => ({ headers, counts: false })),
  ])('with $headers counts on /api: $counts', async ({ headers, counts }) => {
    const { cookie } = await signInOnPage(api, MARA)

    for (const method of ['GET', 'DELETE']) {
      const answer = await api.request(method, '/session', { headers: { ...headers, cookie }, reader: MARA })
      expect(answer).toMatchObject(counts ? { status: 200 } : refused(403, 'cross_site_cookie'))
    }
  })

  test('is no matter where a header says who asks', async () => {
    const { cookie } = await signInOnPage(api, MARA)

    expect((await api.get('/users/self', { as: MARA, headers: { cookie, origin: EVIL } })).status).toBe(200)
  })
})

describe('a page of another site', () => {
  test.each(FOREIGN_PAGES.slice(0, -1))('A23 signs nobody in with %j, nor out', async (headers) => {
    const { cookie } = await signInOnPage(api, MARA)
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
    expect((await api.get('/session', { headers: { ...OWN_PAGE, cookie }, reader: MARA })).status).toBe(200)

    const tokens = await api.post('/tokens', { headers: asForm, body: form })
    expect(tokens.headers['set-cookie']).toBeUndefined()
    expect(tokens.headers['access-control-allow-credentials']).toBeUndefined()
  })

  test('A23/first is refused before its body is looked at', async () => {
    expect(await api.post('/session', { headers: { origin: EVIL }, body: '{' })).toMatchObject(
      refused(403, 'cross_site_cookie'),
    )
  })

  test('is told apart from a program that has no page at all', async () => {
    expect((await api.post('/session', { body: { username: 'mara', password: PASSWORD }, reader: MARA })).status).toBe(
      201,
    )
  })

  test.each([EVIL, 'null', 'https://waypost.example.evil.example'])(
    'A21 from %s is never echoed, and cookies never count',
    async (origin) => {
      const { cookie } = await signInOnPage(api, MARA)
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
