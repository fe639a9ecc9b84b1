import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { basic } from '../../../test/harness/client.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { SAME_ORIGIN_HEADERS } from '../../../test/harness/browser-requests.ts'
import { MARA, PASSWORD, TOM } from '../../../test/fixtures/people.ts'
import { masked, refused, statusesOf } from '../../../test/harness/refused.ts'

const world = await startWorld()
const { api, context, clock } = world
const behindProxy = await startWorld({ environment: { WAYPOST_TRUSTED_PROXIES: '127.0.0.1' } })

const SECOND = 1000

describe('wrong passwords', () => {
  test('A13 are counted together across all ways to sign in; then the wait grows', async () => {
    const ways = [bySession, byToken, byBasic, byAddress]
    for (let count = 0; count < 10; count++) expect((await ways[count % 4]?.(api, 'wrong'))?.status).toBe(401)

    for (const way of ways) {
      const answer = await way(api, PASSWORD)
      expect(answer).toMatchObject(refused(429, 'rate_limited', { allowed: { maximum: 10 } }))
      expect(answer.headers['retry-after']).toBe('5')
    }
    expect((await api.get('/users/self', { as: MARA })).status).toBe(200)
    expect((await bySession(api, PASSWORD, 'tom')).status).toBe(201)
    for (const seconds of [5, 10, 20]) {
      clock.advance(seconds * SECOND)
      expect((await bySession(api, 'wrong')).status).toBe(401)
      expect((await bySession(api, PASSWORD)).headers['retry-after']).toBe(String(2 * seconds))
    }
    clock.advance(40 * SECOND)
    expect((await bySession(api, PASSWORD)).status).toBe(201)
    expect((await audited(context, 'sign_in', 'refused')).map(({ reason }) => reason)).toContain('rate_limited')
  })

  test('A13/parallel do not outrun the count', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => bySession(api, 'wrong')))

    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
  })

  test('A13/unknown are throttled alike for an unknown login', async () => {
    for (let count = 0; count < 10; count++) await bySession(api, 'wrong', 'nobody-here')
    for (let count = 0; count < 10; count++) await bySession(api, 'wrong', 'mara')

    const unknown = await bySession(api, PASSWORD, 'nobody-here')
    const known = await bySession(api, PASSWORD, 'mara')

    expect(unknown.status).toBe(429)
    expect(masked(unknown)).toBe(masked(known))
  })

  test('A13/right correct ones are not counted', async () => {
    for (let count = 0; count < 12; count++) expect((await byBasic(api, PASSWORD)).status).toBe(200)
    const atOnce = await Promise.all(Array.from({ length: 25 }, () => byBasic(api, PASSWORD)))
    expect(statusesOf(atOnce)).toEqual(Array.from({ length: 25 }, () => 200))
  })

  test('block the whole address at 100', async () => {
    for (let count = 0; count < 100; count++)
      await sql`insert into sign_in_failure (login, address, "on")
        values (${Buffer.from([count])}, '127.0.0.1', ${clock.now()})`.execute(context.db)

    expect(await bySession(api, PASSWORD, 'tom')).toMatchObject(refused(429, 'rate_limited'))
    expect((await api.get('/users/self', { as: TOM })).status).toBe(200)
  })

  test('are forgotten after an hour, and those of an address or of all accounts after 15 minutes', async () => {
    const fail = (count: number, address: string, milliseconds: number, login = 'nobody') =>
      sql`insert into sign_in_failure (login, address, "on")
        select ${login === 'mara' ? context.secrets.keyedHash('login', 'mara') : sql`int4send(n)`}, ${address},
          ${new Date(clock.now().getTime() - milliseconds)} from generate_series(1, ${count}::integer) n`.execute(
        context.db,
      )
    const minute = 60 * SECOND
    await fail(20, '127.0.0.1', 60 * minute, 'mara')
    await fail(100, '127.0.0.1', 15 * minute)
    await fail(5000, '192.0.2.1', 15 * minute)
    expect((await bySession(api, PASSWORD)).status).toBe(201)

    await sql`delete from sign_in_failure`.execute(context.db)
    await fail(99, '127.0.0.1', 15 * minute - 1)
    await fail(1, '192.0.2.1', 15 * minute - 1)
    expect((await bySession(api, PASSWORD)).status).toBe(201)
    await fail(1, '127.0.0.1', 1)
    const stopped = await bySession(api, PASSWORD)
    expect(stopped).toMatchObject(refused(429, 'rate_limited', { allowed: { maximum: 100 } }))
    expect(stopped.headers['retry-after']).toBe('1')
  })

  test('A14 are throttled alike with a forged X-Forwarded-For each time', async () => {
    for (let count = 0; count < 100; count++)
      await sql`insert into sign_in_failure (login, address, "on")
        values (${Buffer.from([count])}, '127.0.0.1', ${clock.now()})`.execute(context.db)

    for (const address of ['203.0.113.1', '203.0.113.2'])
      expect(await bySession(api, 'wrong', 'tom', { 'x-forwarded-for': address })).toMatchObject(
        refused(429, 'rate_limited'),
      )
  })

  test('A14/proxy count by the last address before a configured proxy, and ignore addresses from the client', async () => {
    for (const forged of ['10.0.0.1', '10.0.0.2'])
      await bySession(behindProxy.api, 'wrong', 'tom', { 'x-forwarded-for': `${forged}, 203.0.113.9` })

    const { rows } = await sql`select distinct address from sign_in_failure`.execute(behindProxy.context.db)
    expect(rows).toEqual([{ address: '203.0.113.9' }])
  })

  test('store no login in clear text: people type passwords into that field', async () => {
    await bySession(api, 'wrong', 'my-secret-password')

    const { rows } = await sql<{
      everything: string
    }>`select string_agg(sign_in_failure::text, '') || (select string_agg(audit::text, '') from audit)
      as everything from sign_in_failure`.execute(context.db)
    expect(rows[0]?.everything).not.toContain('my-secret-password')
  })
})

type Api = typeof api

function bySession(to: Api, password: string, username = 'mara', headers = {}) {
  const reader = username === 'tom' ? TOM : MARA
  return to.post('/session', { headers: { ...SAME_ORIGIN_HEADERS, ...headers }, body: { username, password }, reader })
}

function byAddress(to: Api, password: string) {
  return bySession(to, password, MARA.email)
}

function byToken(to: Api, password: string) {
  return to.post('/tokens', { body: { username: 'mara', password } })
}

function byBasic(to: Api, password: string) {
  return to.get('/users/self', { headers: basic(MARA, password), reader: MARA })
}
