import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { toId } from '../../../src/platform/database/ids.ts'
import { ANONYMOUS_VIEWER } from '../../../src/platform/http/request-state.ts'
import { createAdmission } from '../../../src/platform/http/admission.ts'
import { createQueryCosts, ANONYMOUS_QUERY_POLICY, runExpensive } from '../../../src/platform/http/query-cost.ts'
import { clientKey } from '../../../src/platform/http/rate-limit.ts'
import type { AccountId, Viewer } from '../../../src/platform/http/viewer.ts'
import { audited } from '../../harness/audited.ts'
import type { RequestOptions, Response } from '../../harness/client.ts'
import { EVERY_FIELD, makeTestTracker } from '../../fixtures/every-field.ts'
import { startWorld } from '../../harness/start-world.ts'
import { startMailPeer } from '../../peers/mail-peer.ts'
import { TOM } from '../../fixtures/people.ts'
import { ORCHARD } from '../../fixtures/seed-ids.ts'
import { masked, refused } from '../../harness/refused.ts'
import { runJobs } from '../../harness/run-jobs.ts'
import { exchangeRaw } from './raw-socket.ts'

const peer = await startMailPeer()
// Each test uses its own client address, and so its own quotas.
const environment = {
  WAYPOST_SMTP_URL: peer.url,
  WAYPOST_RATE_LIMIT_FACTOR: '1',
  WAYPOST_TRUSTED_PROXIES: '127.0.0.1',
}
const { api, context } = await startWorld({ environment })
const KIB = 1024

let host = 0
beforeEach(() => {
  host += 1
})

function from(address: string, options: RequestOptions = {}): RequestOptions {
  return { ...options, headers: { ...options.headers, 'x-forwarded-for': address } }
}
const fromHere = (options: RequestOptions = {}) => from(`192.0.2.${host}`, options)

describe('a body without valid credentials', () => {
  const bodies: Record<string, (size: number) => string> = {
    'application/json': (size) => `{"login":"mara"${' '.repeat(size - 16)}}`,
    'application/xml': (size) => `<request><login>mara</login>${' '.repeat(size - 38)}</request>`,
    'application/x-www-form-urlencoded': (size) => `login=mara&more=${'a'.repeat(size - 16)}`,
  }

  test.each(Object.entries(bodies))('L02 of %s has at most 64 KiB', async (type, make) => {
    const send = (size: number) =>
      api.post('/password_resets', fromHere({ headers: { 'content-type': type }, body: make(size) }))
    // The padding of a form is an unknown member, which is refused after the size was accepted.
    expect((await send(64 * KIB)).status).toBe(type.endsWith('urlencoded') ? 400 : 202)
    const over = await send(64 * KIB + 1)
    expect(over).toMatchObject(refused(413, 'payload_too_large', { allowed: { maximum: 64 * KIB } }))
  })

  test('L02/chunked is cut off at 64 KiB', async () => {
    const head = `POST /api/password_resets HTTP/1.1\r\nHost: waypost.example\r\nX-Forwarded-For: 192.0.2.${host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    const chunk = `${(96 * KIB).toString(16)}\r\n${' '.repeat(96 * KIB)}\r\n`
    const { answers } = await exchangeRaw(api.origin, `${head}${chunk}`)
    expect(answers.map(({ status }) => status)).toEqual([413])
  })

  test('L02/wrong is not read when the credentials are wrong: 401 arrives during the upload', async () => {
    const head = `PUT /api/projects/${ORCHARD}/banner HTTP/1.1\r\nHost: waypost.example\r\nX-Auth-AccessKey: tlp-k1-1.${'0'.repeat(64)}\r\nX-Forwarded-For: 192.0.2.${host}\r\nContent-Type: application/json\r\nContent-Length: ${8 * KIB * KIB}\r\n\r\n`
    const { answers } = await exchangeRaw(api.origin, head)
    expect(answers.map(({ status }) => status)).toEqual([401])
  })

  test('L02/valid may have the configured size when the credentials are valid', async () => {
    const text = 'a '.repeat(100 * KIB)
    const path = `/projects/${ORCHARD}/extract_references`
    expect((await api.post(path, fromHere({ as: TOM, body: { text } }))).status).toBe(200)
    expect((await api.post(path, fromHere({ body: { text } }))).status).toBe(413)
  })
})

describe('requests without valid credentials', () => {
  test('L03 are limited by address, also with wrong credentials; valid ones from there are served', async () => {
    const wrong = { 'x-auth-accesskey': `tlp-k1-1.${'0'.repeat(64)}` }
    expect((await api.get('/users/self', fromHere({ headers: wrong }))).status).toBe(401)
    const first = await untilRefused(() => api.get('/version', fromHere()))
    expect(first.headers['ratelimit-policy']).toBe('"anonymous-requests";q=600;w=60')
    expect(first).toMatchObject(refused(429, 'rate_limited', { allowed: { maximum: 600 } }))
    expect((await api.get('/users/self', fromHere({ as: TOM }))).status).toBe(200)
    expect((await api.get('/users/self', from('198.51.100.1'))).status).toBe(401)
  })
})

describe('anonymous requests for mails', () => {
  test('L04 password resets are limited by address, known and unknown logins alike, without jobs or audit rows', async () => {
    const ask = (login: string) => api.post('/password_resets', fromHere({ body: { login } }))
    for (let count = 0; count < 20; count++) expect((await ask(count % 2 ? 'mara' : 'nobody')).status).toBe(202)
    const [known, unknown] = [await ask('mara'), await ask('nobody')]
    expect(known).toMatchObject(refused(429, 'rate_limited'))
    expect(known.headers['ratelimit-policy']).toBe('"password-resets";q=20;w=3600')
    expect(masked(unknown)).toBe(masked(known))
    expect(await audited(context, 'password.reset_request')).toHaveLength(20)
  })

  test('L04/v6 one /64 is one client', async () => {
    const ask = (address: string) => api.post('/password_resets', from(address, { body: { login: 'mara' } }))
    for (let count = 0; count < 20; count++) expect((await ask(`2001:db8:0:1::${count}`)).status).toBe(202)
    expect((await ask('2001:db8:0:1:ffff::1')).status).toBe(429)
    expect((await ask('2001:db8:0:2::1')).status).toBe(202)
  })

  test('L05 registrations are limited by address, before the password is hashed', async () => {
    await allowRegistration()
    for (let count = 0; count < 20; count++) await register(`nina${count}`, `nina${count}@orchard.example`)
    const over = await register('nina', 'nina@orchard.example')
    expect(over).toMatchObject(refused(429, 'rate_limited'))
    expect(over.headers['ratelimit-policy']).toBe('"registrations";q=20;w=3600')
  })

  test('L06 one address gets at most 10 mails a day, from all callers together', async () => {
    await allowRegistration()
    for (let count = 0; count < 12; count++)
      expect((await register(`nina${count}`, 'Victim@Orchard.example', `198.51.100.${count}`)).status).toBe(202)
    await runJobs(context)
    expect(peer.mails.map(({ to }) => to.join())).toEqual(Array(10).fill('Victim@orchard.example'))
  })
})

function register(username: string, email: string, address?: string): Promise<Response> {
  const body = { username, real_name: 'Nina New', email, password: 'a quite different horse' }
  return api.post('/registrations', address === undefined ? fromHere({ body }) : from(address, { body }))
}

async function allowRegistration(): Promise<void> {
  await sql`update setting set version = version + 1, chosen = chosen || '{"registration":"open"}'`.execute(context.db)
}

/** Sends faster than the quota refills. On a slow machine some are refused because the server is busy. */
async function untilRefused(send: () => Promise<Response>): Promise<Response> {
  for (let round = 0; round < 40; round++) {
    const answers = await Promise.all(Array.from({ length: 30 }, send))
    const found = answers.find(
      ({ status, headers }) => status === 429 && !String(headers['ratelimit-policy']).startsWith('"busy"'),
    )
    if (found) return found
  }
  throw new Error('Nothing was refused.')
}

describe('expensive conditions', () => {
  test('L08 run two at a time per client and four in all, within a time budget per minute', async () => {
    const costs = createQueryCosts(context)
    const { promise, resolve } = Promise.withResolvers<void>()
    const admission = createAdmission()
    const ask = (viewer: Viewer, address: string) =>
      admission.run({ key: address }, async (turn) => {
        await turn.enter()
        return costs.countFor(viewer, address, turn, () => runExpensive(() => promise))
      })
    const running = [ask(ANONYMOUS_VIEWER, '203.0.113.1'), ask(ANONYMOUS_VIEWER, '203.0.113.2')]
    await expect(ask(ANONYMOUS_VIEWER, '203.0.113.3')).rejects.toMatchObject({ reason: 'rate_limited' })

    const tom = { ...ANONYMOUS_VIEWER, account_id: toId<AccountId>(TOM.id) }
    running.push(ask(tom, '203.0.113.1'), ask(tom, '203.0.113.1'))
    await expect(ask(tom, '203.0.113.1')).rejects.toMatchObject({ reason: 'rate_limited' })
    resolve()
    await Promise.all(running)
    await expect(ask(tom, '203.0.113.1')).resolves.toBeUndefined()
  })

  test('L08/http are refused when the time budget of an address is used up; others and plain searches are served', async () => {
    const { id } = await makeTestTracker(api, EVERY_FIELD)
    const search = (query: object, options: RequestOptions) =>
      api.get(`/trackers/${id}/artifacts?query=${encodeURIComponent(JSON.stringify(query))}`, options)
    const [pattern, short, plain] = [{ summary: '/a+b/' }, { summary: 'ab' }, { summary: 'apple' }]
    expect((await search(pattern, fromHere())).status).toBe(200)

    context.rateLimits.charge(ANONYMOUS_QUERY_POLICY, clientKey({}, `192.0.2.${host}`), 3)
    for (const query of [pattern, short]) {
      const answer = await search(query, fromHere())
      expect(answer).toMatchObject(refused(429, 'rate_limited'))
      expect(answer.headers['ratelimit-policy']).toBe('"expensive-queries-anonymous";q=3;w=60')
    }
    expect((await search(plain, fromHere())).status).toBe(200)
    expect((await search(pattern, fromHere({ as: TOM }))).status).toBe(200)
  })
})
