import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ADA } from '../../../test/fixtures/people.ts'
import { startWorld } from '../../../test/harness/start-world.ts'

const { api, clock } = await startWorld()
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(api.origin + path, { headers, redirect: 'manual' })
const change = async (body: object) => expect((await api.patch('/settings', { as: ADA, body })).status).toBe(200)

describe('/.well-known/security.txt', () => {
  test('is absent without a contact, and says which setting it needs', async () => {
    const answer = await get('/.well-known/security.txt')

    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: { reason: 'not_set', details: { path: 'contact_email' } } })
  })

  test('names the contact, and expires within a year', async () => {
    await change({ contact_email: 'security+waypost@orchard.example' })
    const answer = await get('/.well-known/security.txt')
    const text = await answer.text()
    const fields = new Map(text.split('\n').map((line) => [line.split(': ')[0], line.split(': ')[1] ?? '']))

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(fields.get('Contact')).toBe('mailto:security+waypost@orchard.example')
    expect(fields.get('Canonical')).toBe('https://waypost.example/.well-known/security.txt')
    expect(fields.get('Preferred-Languages')?.split(', ')).toContain('en')
    expect(fields.get('Expires')).toMatch(/^\d{4}-\d\d-\d\dT00:00:00Z$/)
    const days = (Date.parse(fields.get('Expires') ?? '') - clock.now().getTime()) / 86_400_000
    expect(days).toBeGreaterThan(170)
    expect(days).toBeLessThan(365)
  })
})

test('/.well-known/change-password redirects to the page with the form', async () => {
  const answer = await get('/.well-known/change-password')

  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/account/security'])
})

test('/robots.txt keeps crawlers out of the API, and out of a site without anonymous access', async () => {
  expect(await (await get('/robots.txt')).text()).toContain('\nDisallow: /api/\n')
  await change({ anonymous_access: false })
  const closed = await get('/robots.txt')

  expect([closed.status, await closed.text()]).toEqual([200, 'User-agent: *\nDisallow: /\n'])
})

test('the links of /llms.txt work', async () => {
  const text = await (await get('/llms.txt')).text()
  const links = [...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, link = '']) => link)

  expect(links).toContain('/api/openapi.json')
  for (const link of links) expect([link, (await get(link)).status]).toEqual([link, 200])
})

test('/favicon.ico is an icon that caches may keep', async () => {
  const answer = await get('/favicon.ico')

  expect(answer.headers.get('content-type')).toBe('image/vnd.microsoft.icon')
  expect(answer.headers.get('cache-control')).toContain('max-age')
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes.equals(readFileSync('server/assets/favicon.ico'))).toBe(true)
  expect(bytes.readUInt32LE(0)).toBe(0x10000) // An icon, not a cursor.
})

test.each(['/.well-known/change-password', '/robots.txt', '/llms.txt', '/favicon.ico'])(
  '%s ignores invalid credentials, also where anonymous access is off',
  async (path) => {
    await change({ anonymous_access: false })
    const usual = await get(path)
    const odd = { 'x-auth-accesskey': 'nonsense', authorization: 'Bearer nonsense', cookie: '__Host-waypost=nonsense' }

    expect(usual.status).toBeLessThan(400)
    expect((await get(path, odd)).status).toBe(usual.status)
    expect((await fetch(api.origin + path, { method: 'HEAD', redirect: 'manual' })).status).toBe(usual.status)
  },
)
