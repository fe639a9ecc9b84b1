import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { basic, type TestClient, type Response } from '../../../test/harness/client.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { SAME_ORIGIN_HEADERS } from '../../../test/harness/browser-requests.ts'
import { MARA, PASSWORD, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { refused } from '../../../test/harness/refused.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { deviceDigest, forgetOrigins, networkDigest, rememberNetwork } from './known-origins.ts'
import { signInToSvn } from './sign-in-to-svn.ts'

const { api, context, clock } = await startWorld({ environment: { WAYPOST_TRUSTED_PROXIES: '127.0.0.1' } })

const HOME = '198.51.100.7'
const ELSEWHERE = '203.0.113.9'
const tooMany = refused(429, 'rate_limited')

describe('wrong passwords from elsewhere', () => {
  test('N03 do not lock the owner out of session, Basic, tokens or svn, and slow down only their own address', async () => {
    for (let count = 0; count < 10; count++) expect((await signIn(MARA, ELSEWHERE, 'wrong')).status).toBe(401)
    expect(await signIn(MARA, ELSEWHERE)).toMatchObject(tooMany)
    expect(await svnOutcome(ELSEWHERE)).toBe('rate_limited')

    expect((await signIn(MARA, HOME)).status).toBe(201)
    const headers = { ...basic(MARA), ...from(HOME) }
    expect((await api.get('/users/self', { headers, reader: MARA })).status).toBe(200)
    const body = { username: 'mara', password: PASSWORD }
    expect((await api.post('/tokens', { headers: from(HOME), body, reader: MARA })).status).toBe(200)
    expect(await svnOutcome(HOME)).toBe('mara')
  })

  test('N04 are counted by /64, and over svn by the address of the client', async () => {
    for (let count = 0; count < 9; count++) await signIn(MARA, `2001:db8:1:2::${count}`, 'wrong')
    expect(await svnOutcome('2001:db8:1:2:ffff::1', 'wrong')).toBe('credentials_invalid')

    expect(await signIn(MARA, '2001:db8:1:2:aaaa:bbbb:cccc:dddd')).toMatchObject(tooMany)
    expect((await signIn(MARA, '2001:db8:1:3::1')).status).toBe(201)
  })
})

describe('a device that signed in before', () => {
  test('N05 is not slowed down by others at the same address', async () => {
    const device = deviceIn(await signIn(MARA, HOME))
    for (let count = 0; count < 10; count++) await signIn(MARA, HOME, 'wrong')

    expect(await signIn(MARA, HOME)).toMatchObject(tooMany)
    expect((await signIn(MARA, HOME, PASSWORD, device)).status).toBe(201)
    for (let count = 0; count < 10; count++) expect((await signIn(MARA, ELSEWHERE, 'wrong', device)).status).toBe(401)
    expect(await signIn(MARA, ELSEWHERE, PASSWORD, device)).toMatchObject(tooMany)
    clock.advance(5000)
    expect((await signIn(MARA, ELSEWHERE, PASSWORD, device)).status).toBe(201)
  })

  test('N05/bound is known only for accounts that signed in there, and forged values are replaced', async () => {
    const device = deviceIn(await signIn(TOM, HOME))
    for (let count = 0; count < 10; count++) await signIn(MARA, HOME, 'wrong')
    expect(await signIn(MARA, HOME, PASSWORD, device)).toMatchObject(tooMany)

    clock.advance(5000)
    expect(deviceIn(await signIn(MARA, HOME, PASSWORD, device))).toBe(device)
    const chosen = `__Host-waypost-device=${'A'.repeat(43)}`
    expect(deviceIn(await signIn(MARA, HOME, PASSWORD, chosen))).not.toBe(chosen)
  })

  test('N06 is stored as a hash, survives sign-out, and is forgotten when the password changes', async () => {
    const answer = await signIn(MARA, HOME)
    const device = deviceIn(answer)
    const { rows } = await sql`select digest from known_origin where kind = 'device'`.execute(context.db)
    expect(rows).toEqual([{ digest: sha256(Buffer.from(device.split('=')[1] ?? '', 'base64url')) }])
    const session = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    const headers = { ...SAME_ORIGIN_HEADERS, ...from(HOME), cookie: `${session}; ${device}` }
    const out = await api.delete('/session', { headers })
    expect(out.headers['set-cookie']).toHaveLength(1)

    for (const keeps of [true, false]) {
      const body = { current_password: keeps ? PASSWORD : NEXT, new_password: keeps ? NEXT : 'yet another horse' }
      const asking = { ...from(HOME), ...basic(MARA, body.current_password), ...(keeps && { cookie: device }) }
      expect((await api.put('/users/self/password', { headers: asking, body, reader: MARA })).status).toBe(200)
      const known = await sql`select from known_origin where kind = 'device'`.execute(context.db)
      expect(known.rows).toHaveLength(keeps ? 1 : 0)
    }
  })
})

test('N07 distributed guessing is stopped for all but known devices, known networks and keys', async () => {
  const device = deviceIn(await signIn(MARA, HOME))
  await sql`insert into sign_in_failure (login, address, "on")
    select int4send(n), '192.0.2.' || n % 250, ${clock.now()} from generate_series(1, 5000) n`.execute(context.db)

  expect(await signIn(TOM, HOME)).toMatchObject(tooMany)
  expect((await signIn(TOM, HOME)).headers['retry-after']).toBe('60')
  expect((await signIn(MARA, HOME)).status).toBe(201)
  expect(await signIn(MARA, ELSEWHERE)).toMatchObject(tooMany)
  expect((await signIn(MARA, ELSEWHERE, PASSWORD, device)).status).toBe(201)
  expect((await api.get('/users/self', { as: TOM })).status).toBe(200)
  clock.advance(15 * 60_000)
  expect((await signIn(TOM, HOME)).status).toBe(201)
})

test('an account keeps its 50 newest devices', async () => {
  await sql`insert into known_origin (account_id, kind, digest, last_used_on)
    select ${MARA.id}, 'device', sha256(int4send(n)), ${clock.now()}::timestamptz - n * interval '1 hour'
    from generate_series(1, 60) n`.execute(context.db)
  await signIn(MARA, HOME)

  const { rows } = await sql`select from known_origin where kind = 'device'`.execute(context.db)
  expect(rows).toHaveLength(50)
})

describe('origins', () => {
  const keep = (who: TestPerson, kind: 'device' | 'network', digest: Buffer, used = clock.now()) =>
    sql`insert into known_origin (account_id, kind, digest, last_used_on)
      values (${who.id}, ${kind}, ${digest}, ${used})`.execute(context.db)
  const kept = async () => {
    const { rows } = await sql<{
      text: string
    }>`select account.login || ' ' || kind || ' ' || get_byte(digest, 0) as text
      from known_origin join account on account.id = account_id order by 1`.execute(context.db)
    return rows.map(({ text }) => text)
  }
  const digest = (number: number) => Buffer.alloc(32, number)

  test('are forgotten with a new password, but for the device that asks; those of others stay', async () => {
    const asking = Buffer.alloc(32, 7).toString('base64url')
    const own = deviceDigest(asking)
    for (const who of [MARA, TOM]) {
      await keep(who, 'device', own)
      await keep(who, 'device', digest(1))
      await keep(who, 'network', digest(2))
    }
    await inTransaction(context.db, (tx) => forgetOrigins(tx, MARA.id, asking))
    const ofTom = ['tom device 1', `tom device ${own[0]}`, 'tom network 2']
    expect(await kept()).toEqual([`mara device ${own[0]}`, ...ofTom].toSorted())
    await inTransaction(context.db, (tx) => forgetOrigins(tx, MARA.id))
    expect(await kept()).toEqual(ofTom.toSorted())
  })

  test('of another kind or account are not counted against the 50', async () => {
    await sql`insert into known_origin (account_id, kind, digest, last_used_on)
      select account_id, kind, sha256(int4send(n)), ${clock.now()}::timestamptz - n * interval '1 hour'
      from unnest(${[MARA.id, MARA.id, TOM.id]}::bigint[], '{device,network,device}'::text[]) as given (account_id, kind),
        generate_series(1, 60) n`.execute(context.db)
    await rememberNetwork(context, MARA.id, digest(1), null)
    const { rows } = await sql`select account_id, kind, count(*) from known_origin group by 1, 2 order by 1, 2`.execute(
      context.db,
    )
    const counts = [
      { account_id: MARA.id, kind: 'device', count: 60 },
      { account_id: MARA.id, kind: 'network', count: 50 },
      { account_id: TOM.id, kind: 'device', count: 60 },
    ]
    expect(rows).toHaveLength(3)
    expect(rows).toEqual(expect.arrayContaining(counts))
    const { rows: newest } = await sql`select from known_origin where digest = ${digest(1)}`.execute(context.db)
    expect(newest).toHaveLength(1)
  })

  test('a network is written down once a day', async () => {
    const day = 86_400_000
    await keep(MARA, 'network', digest(1), new Date(clock.now().getTime() - day))
    const used = async () =>
      (await context.db.selectFrom('known_origin').select('last_used_on').execute())[0]?.last_used_on
    const ago = (milliseconds: number) => new Date(clock.now().getTime() - milliseconds)
    const before = await used()
    await rememberNetwork(context, MARA.id, digest(1), ago(day - 1))
    expect(await used()).toEqual(before)
    await rememberNetwork(context, MARA.id, digest(1), ago(day))
    expect(await used()).toEqual(clock.now())
  })

  test('Basic remembers its network, svn too, and a wrong password nothing', async () => {
    await api.get('/users/self', { headers: { ...basic(MARA, 'wrong'), ...from(HOME) } })
    expect(await kept()).toEqual([])
    await api.get('/users/self', { headers: { ...basic(MARA), ...from(HOME) }, reader: MARA })
    const { rows } = await sql`select account_id, kind, digest from known_origin`.execute(context.db)
    expect(rows).toEqual([{ account_id: MARA.id, kind: 'network', digest: networkDigest(context, HOME) }])
  })
})

const NEXT = 'a quite different horse'

function from(address: string) {
  return { 'x-forwarded-for': address }
}

function signIn(
  who: TestPerson,
  address: string,
  password = PASSWORD,
  cookie?: string,
): ReturnType<TestClient['post']> {
  const headers = { ...SAME_ORIGIN_HEADERS, ...from(address), ...(cookie !== undefined && { cookie }) }
  return api.post('/session', { headers, body: { username: who.login, password }, reader: who })
}

/** `name=value` of the device cookie. */
function deviceIn({ headers }: Response): string {
  return headers['set-cookie']?.[1]?.split(';')[0] ?? ''
}

/** The login that signed in, or the reason of the refusal. */
async function svnOutcome(address: string, password = PASSWORD): Promise<string | undefined> {
  try {
    return (await signInToSvn(context, { login: 'mara', address, request_id: null }, password, 'write')).login
  } catch (error) {
    return error instanceof ApiError ? error.reason : String(error)
  }
}
