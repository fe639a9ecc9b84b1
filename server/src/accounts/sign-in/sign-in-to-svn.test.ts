import { signInOutcome } from '../../../test/harness/sign-in-outcome.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, PASSWORD, TOM } from '../../../test/fixtures/people.ts'
import { signInToSvn, type SvnUse } from './sign-in-to-svn.ts'

const { context } = await startWorld()
const { db } = context

const signIn = (login: string, secret: string, use: SvnUse = 'write') =>
  signInToSvn(context, { login, address: '198.51.100.7', request_id: null }, secret, use)
const refusedAs = (reason: string) => expect.objectContaining({ reason })

describe('login and secret', () => {
  test.each([
    { what: 'no login', login: '', secret: PASSWORD },
    { what: 'a secret of more than 1,024 characters', login: 'tom', secret: 'x'.repeat(1025) },
  ])('with $what are malformed, and not counted', async ({ login, secret }) => {
    await expect(signIn(login, secret)).rejects.toEqual(refusedAs('credentials_malformed'))
    const { rows } = await sql`select from sign_in_failure`.execute(db)
    expect(rows).toEqual([])
  })

  test('with a secret of 1,024 characters are compared', async () => {
    await expect(signIn('tom', 'x'.repeat(1024))).rejects.toEqual(refusedAs('credentials_invalid'))
  })
})

describe('a key', () => {
  test.each([
    { scopes: ['write:svn'], use: 'write', expected: 'tom' },
    { scopes: ['write:svn'], use: 'read', expected: 'tom' },
    { scopes: ['read:svn'], use: 'read', expected: 'tom' },
    { scopes: ['read:svn'], use: 'write', expected: 'credentials_scope' },
    { scopes: ['write:rest'], use: 'read', expected: 'credentials_scope' },
  ] as const)('with $scopes for $use: $expected', async ({ scopes, use, expected }) => {
    await sql`update access_key set scopes = ${[...scopes]} where id = ${TOM.key_id}`.execute(db)
    expect(await signInOutcome(signIn('TOM', TOM.key, use))).toBe(expected)
  })

  test('with the login of another is a wrong password', async () => {
    await sql`update access_key set scopes = '{write:svn}'`.execute(db)
    await expect(signIn('mara', TOM.key)).rejects.toEqual(refusedAs('credentials_invalid'))
  })
})

describe('a password', () => {
  test('that was right is known again without a count, so that failures at its address do not stop a checkout', async () => {
    expect(await signIn('mara', PASSWORD)).toMatchObject({ account_id: MARA.id, credential: { kind: 'svn' } })
    for (let count = 0; count < 10; count++)
      await expect(signIn('mara', 'wrong')).rejects.toEqual(refusedAs('credentials_invalid'))
    await expect(signIn('mara', 'wrong')).rejects.toEqual(refusedAs('rate_limited'))
    expect(await signIn('mara', PASSWORD)).toMatchObject({ account_id: MARA.id })
    await expect(signIn('tom', 'wrong')).rejects.toEqual(refusedAs('credentials_invalid'))
  })

  test('that was right is wrong as soon as there is another', async () => {
    await signIn('mara', PASSWORD)
    await sql`update account set password_hash = (select password_hash from account where false) where id = ${MARA.id}`.execute(
      db,
    )
    await expect(signIn('mara', PASSWORD)).rejects.toEqual(refusedAs('credentials_invalid'))
  })

  test('of a suspended account is refused, known again or not', async () => {
    await signIn('mara', PASSWORD)
    await sql`update account set status = 'S' where id = ${MARA.id}`.execute(db)
    await expect(signIn('mara', PASSWORD)).rejects.toEqual(refusedAs('credentials_invalid'))
  })
})
