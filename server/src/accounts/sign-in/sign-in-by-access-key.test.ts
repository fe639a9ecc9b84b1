import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { signInOutcome } from '../../../test/harness/sign-in-outcome.ts'
import { TEST_NOW, startWorld } from '../../../test/harness/start-world.ts'
import { MARA, secretOf, TOM } from '../../../test/fixtures/people.ts'
import { toId } from '../../platform/database/ids.ts'
import type { Credentials } from '../../platform/http/sign-in.ts'
import { formatAccessKey } from '../access-keys/access-key.ts'
import { createSignInMemory } from './recalled-sign-in.ts'
import { signInByAccessKey } from './sign-in-by-access-key.ts'

const { context, clock } = await startWorld()
const { db } = context

const HOME = '198.51.100.7'
const signIn = (reads = true, address = HOME, key = TOM.key) => {
  const credentials: Credentials = { method: 'GET', headers: {}, address, request_id: 'r', reads }
  return signInByAccessKey(context, createSignInMemory(), credentials, key)
}
const refusedAs = (reason: string) => expect.objectContaining({ reason })
const read = async () => {
  const rows = await db
    .selectFrom('access_key')
    .select(['id', 'last_used_on', 'last_used_by', 'is_over'])
    .where('id', 'in', [TOM.key_id, MARA.key_id])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

describe('a key', () => {
  test('remembers its last use, and no other key does', async () => {
    const before = (await read()).get(MARA.key_id)
    expect(await signIn()).toMatchObject({ login: 'tom', credential: { kind: 'access_key', id: String(TOM.key_id) } })
    const keys = await read()
    expect(keys.get(TOM.key_id)).toMatchObject({ last_used_on: TEST_NOW, last_used_by: HOME, is_over: false })
    expect(keys.get(MARA.key_id)).toEqual(before)
  })

  test('writes its use once a minute, or when it comes from elsewhere', async () => {
    const used = async () => (await read()).get(TOM.key_id)?.last_used_on?.getTime()
    await signIn()
    clock.advance(59_999)
    await signIn()
    expect(await used()).toBe(TEST_NOW.getTime())
    clock.advance(1)
    await signIn()
    expect(await used()).toBe(TEST_NOW.getTime() + 60_000)
    clock.advance(1)
    await signIn(true, '203.0.113.9')
    expect(await used()).toBe(TEST_NOW.getTime() + 60_001)
    expect((await read()).get(TOM.key_id)?.last_used_by).toBe('203.0.113.9')
  })

  test('that has expired stays so when a clock is set back, and no other expires', async () => {
    await sql`update access_key set expires_on = ${TEST_NOW} where id = ${TOM.key_id}`.execute(db)
    await expect(signIn()).rejects.toEqual(refusedAs('credentials_expired'))
    clock.advance(-1)
    await expect(signIn()).rejects.toEqual(refusedAs('credentials_expired'))
    expect((await read()).get(MARA.key_id)?.is_over).toBe(false)
    expect((await read()).get(TOM.key_id)?.is_over).toBe(true)
  })

  test('is right until the moment in which it expires', async () => {
    await sql`update access_key set expires_on = ${new Date(TEST_NOW.getTime() + 1)} where id = ${TOM.key_id}`.execute(
      db,
    )
    expect(await signIn()).toMatchObject({ login: 'tom' })
  })

  test.each([
    { scopes: ['write:rest'], reads: true, expected: 'tom' },
    { scopes: ['write:rest'], reads: false, expected: 'tom' },
    { scopes: ['read:rest'], reads: true, expected: 'tom' },
    { scopes: ['read:rest'], reads: false, expected: 'credentials_scope' },
    { scopes: ['write:svn', 'write:account'], reads: true, expected: 'credentials_scope' },
  ])('with $scopes that reads $reads: $expected', async ({ scopes, reads, expected }) => {
    await sql`update access_key set scopes = ${scopes} where id = ${TOM.key_id}`.execute(db)
    expect(await signInOutcome(signIn(reads))).toBe(expected)
  })

  test('shows the settings of now', async () => {
    await sql`update setting set version = version + 1, chosen = '{"session_idle_minutes": 31}'`.execute(db)
    await signIn()
    expect(context.settings.current.session_idle_minutes).toBe(31)
  })

  test('with an id below that of every key is wrong', async () => {
    const unknown = formatAccessKey({ prefix: 'tlp', id: toId(1), secret: secretOf(TOM.key_id) })
    expect(await signInOutcome(signIn(true, HOME, unknown))).toBe('credentials_invalid')
  })
})
