import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { basic } from '../../../test/harness/client.ts'
import { TEST_NOW, startWorld } from '../../../test/harness/start-world.ts'
import { SAME_ORIGIN_HEADERS, signInWithCookie } from '../../../test/harness/browser-requests.ts'
import { MARA, PASSWORD, type TestPerson, RITA, TOM } from '../../../test/fixtures/people.ts'
import { masked, refused } from '../../../test/harness/refused.ts'

const world = await startWorld()
const { api, context, clock } = world
const other = await world.startAnother()

const MINUTE = 60_000
const DAY = 86_400_000
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe('GET /session', () => {
  test('shows the session with its account', async () => {
    const { json: begun } = await signIn(RITA)
    const headers = await signInWithCookie(api, RITA)
    clock.advance(2 * MINUTE)

    const answer = await api.get('/session', { headers, reader: RITA })

    expect(answer.json).toMatchObject({
      is_current: true,
      last_used_on: '2026-03-01T09:32:00+00:00',
      user: { id: RITA.id, email: RITA.email },
    })
    expect(answer.json.settings).toEqual({
      project_creation: 'everyone',
      who_may_invite: 'project_admins',
      restricted_users: false,
      contact_email: '',
    })
    expect(answer.json.id).not.toBe(begun.id)
  })

  test('is 401 without a session, and 404 with any other credential', async () => {
    expect(await api.get('/session')).toMatchObject(refused(401, 'authentication_required'))
    expect(await api.get('/session', { as: MARA })).toMatchObject(refused(404, 'not_found'))
    expect(await api.get('/session', { headers: basic(MARA) })).toMatchObject(refused(404, 'not_found'))
  })

  test('expires after 8 hours without use', async () => {
    const headers = await signInWithCookie(api, MARA)
    clock.advance(480 * MINUTE)
    expect((await api.get('/session', { headers, reader: MARA })).status).toBe(200)

    clock.advance(480 * MINUTE + 1000)

    const over = await api.get('/session', { headers })
    expect(over).toMatchObject(refused(401, 'session_expired'))
    expect(over.headers['set-cookie']).toEqual([expect.stringContaining('__Host-waypost=; Path=/; Max-Age=0')])
    expect(over.headers['www-authenticate']).not.toContain('Basic')
  })

  test('expires after 30 days, even if it is used', async () => {
    const headers = await signInWithCookie(api, MARA)
    for (let hours = 0; hours < 720; hours += 8) {
      clock.set(new Date(TEST_NOW.getTime() + hours * 60 * MINUTE))
      expect((await api.get('/session', { headers, reader: MARA })).status).toBe(200)
    }

    clock.set(new Date(TEST_NOW.getTime() + 30 * DAY + 1000))

    expect(await api.get('/session', { headers })).toMatchObject(refused(401, 'session_expired'))
  })

  test('stores the last use once a minute at most', async () => {
    const headers = await signInWithCookie(api, MARA)
    clock.advance(MINUTE - 1000)
    await api.get('/session', { headers, reader: MARA })
    expect(await lastUse()).toEqual(TEST_NOW)

    clock.advance(1000)
    await api.get('/session', { headers, reader: MARA })
    expect(await lastUse()).toEqual(new Date(TEST_NOW.getTime() + MINUTE))
  })
})

describe('DELETE /session', () => {
  test('A17 ends it at once on every node, and clears the cookie', async () => {
    const headers = await signInWithCookie(api, MARA)
    expect((await other.api.get('/session', { headers, reader: MARA })).status).toBe(200)

    const answer = await api.delete('/session', { headers })

    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(answer.headers['set-cookie']).toEqual([expect.stringContaining('Max-Age=0')])
    for (const node of [other.api, api])
      expect(await node.get('/session', { headers })).toMatchObject(refused(401, 'session_expired'))
    expect(await audited(context, 'sign_out', 'done')).toMatchObject([
      { actor_id: MARA.id, credential_kind: 'session' },
    ])
  })

  test('requires a cookie', async () => {
    expect(await api.delete('/session')).toMatchObject(refused(401, 'authentication_required'))
    expect(await api.delete('/session', { as: MARA })).toMatchObject(refused(404, 'not_found'))
  })
})

describe('own sessions', () => {
  test('are listed, last used first, without expired ones and those of others', async () => {
    const old = await signInWithCookie(api, MARA, { agent: 'curl/8.5.0' })
    await signInWithCookie(api, TOM)
    clock.advance(479 * MINUTE)
    const headers = await signInWithCookie(api, MARA, { agent: FIREFOX })

    const both = await api.get('/users/self/sessions', { headers, reader: MARA })
    expect(both.json).toMatchObject([
      { is_current: true, agent: 'Firefox on Linux' },
      { is_current: false, agent: 'curl' },
    ])
    expect(both.json[0]).not.toHaveProperty('user')
    expect(both.headers).toMatchObject({ 'x-pagination-size': '2', 'x-pagination-limit': '2' })
    clock.advance(2 * MINUTE)
    expect((await api.get('/users/self/sessions', { headers, reader: MARA })).json).toHaveLength(1)
    expect((await api.get('/users/self/sessions', { as: MARA })).json).toMatchObject([{ is_current: false }])
    expect(await api.get('/users/self/sessions')).toMatchObject(refused(401, 'authentication_required'))
    expect(await api.get('/users/self/sessions', { headers: old })).toMatchObject(refused(401, 'session_expired'))
  })

  test('can be ended one by one, only by their owner', async () => {
    const headers = await signInWithCookie(api, MARA)
    const { json: second } = await signIn(MARA)
    const { json: foreign } = await signIn(TOM)

    expect(await api.delete(`/users/self/sessions/${second.id}`, { headers })).toMatchObject({ status: 200, text: '' })
    const absent = await api.delete(`/users/self/sessions/${second.id}`, { headers })
    const hidden = await api.delete(`/users/self/sessions/${foreign.id}`, { headers })

    expect(hidden).toMatchObject(refused(404, 'not_found'))
    expect(masked(hidden)).toBe(masked(absent))
    expect(await api.delete('/users/self/sessions/%00', { headers })).toMatchObject(refused(404, 'not_found'))
    expect(await sessionsOf(TOM)).toHaveLength(1)
    expect(await audited(context, 'session.end', 'done')).toMatchObject([{ actor_id: MARA.id }])
  })

  test('can be ended all at once, except the current one', async () => {
    const headers = await signInWithCookie(api, MARA)
    const gone = await signInWithCookie(api, MARA)
    await signInWithCookie(api, TOM)

    expect(await api.delete('/users/self/sessions', { headers })).toMatchObject({ status: 200, text: '' })

    expect((await api.get('/session', { headers, reader: MARA })).status).toBe(200)
    expect(await api.get('/session', { headers: gone })).toMatchObject(refused(401, 'session_expired'))
    expect(await sessionsOf(TOM)).toHaveLength(1)
  })

  test('all end when a key ends them', async () => {
    await signInWithCookie(api, MARA)
    await api.delete('/users/self/sessions', { as: MARA })

    expect(await sessionsOf(MARA)).toEqual([])
  })
})

describe('a session', () => {
  test('A07 ends on the next request when its owner is suspended or deleted', async () => {
    for (const status of ['S', 'D']) {
      await sql`update account set status = 'A' where id = ${MARA.id}`.execute(context.db)
      const headers = await signInWithCookie(api, MARA)
      await sql`update account set status = ${status} where id = ${MARA.id}`.execute(context.db)

      for (const node of [api, other.api])
        expect(await node.get('/session', { headers })).toMatchObject(refused(401, 'session_expired'))
    }
  })

  test('A05 that was ended is refused on the next request of the same connection', async () => {
    const headers = await signInWithCookie(api, MARA)
    const asking = await signInWithCookie(api, MARA)
    await api.get('/session', { headers, reader: MARA })
    await other.api.delete('/users/self/sessions', { headers: asking })

    expect(await api.get('/session', { headers })).toMatchObject(refused(401, 'session_expired'))
  })

  test('A11 is ignored beside an explicit header', async () => {
    const headers = await signInWithCookie(api, MARA)

    expect((await api.get('/users/self', { as: TOM, headers })).json.id).toBe(TOM.id)
    expect(
      await api.get('/users/self', { headers: { ...headers, 'x-auth-accesskey': `${TOM.key.slice(0, -1)}0` } }),
    ).toMatchObject(refused(401, 'credentials_invalid'))
  })

  test.each(['', 'x', '"quoted"', 'a'.repeat(4000), '%00', 'ü'])('is refused for the value %j', async (value) => {
    expect(
      await api.get('/session', {
        headers: { ...SAME_ORIGIN_HEADERS, cookie: `__Host-waypost=${encodeURI(value)}` },
      }),
    ).toMatchObject(refused(401, 'session_expired'))
  })
})

function signIn(person: TestPerson) {
  return api.post('/session', {
    headers: SAME_ORIGIN_HEADERS,
    body: { username: person.login, password: PASSWORD },
    reader: person,
  })
}

async function sessionsOf({ id }: TestPerson) {
  return context.db.selectFrom('session').select('id').where('account_id', '=', id).execute()
}

async function lastUse(): Promise<Date | undefined> {
  return (await context.db.selectFrom('session').select('last_used_on').executeTakeFirst())?.last_used_on
}
