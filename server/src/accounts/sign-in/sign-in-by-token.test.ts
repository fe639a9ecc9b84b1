import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { TEST_NOW, startWorld } from '../../../test/harness/start-world.ts'
import { MARA, TOM } from '../../../test/fixtures/people.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import { signInByToken } from './sign-in-by-token.ts'

const { context, clock } = await startWorld()
const { db } = context

const DAY = 86_400_000
const [OLD, NEW] = ['ab'.repeat(16), 'cd'.repeat(16)]
const refusedAs = (reason: string) => expect.objectContaining({ reason })

test('a token that has expired stays so when a clock is set back, and no other expires', async () => {
  for (const [token, milliseconds] of [
    [OLD, DAY],
    [NEW, 0],
  ] as const)
    await sql`insert into token (digest, account_id, created_on) values
      (${sha256(Buffer.from(token, 'hex'))}, ${TOM.id}, ${new Date(TEST_NOW.getTime() - milliseconds)})`.execute(db)
  const signIn = (token: string, user = TOM) => signInByToken(context, token, String(user.id))

  expect(await signIn(OLD)).toMatchObject({ login: 'tom', credential: { kind: 'token', id: null } })
  clock.advance(1)
  await expect(signIn(OLD)).rejects.toEqual(refusedAs('credentials_expired'))
  clock.advance(-1)
  await expect(signIn(OLD)).rejects.toEqual(refusedAs('credentials_expired'))
  expect(await signIn(NEW)).toMatchObject({ login: 'tom' })
  await expect(signIn(NEW, MARA)).rejects.toEqual(refusedAs('credentials_invalid'))
})
