import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { signInOutcome } from '../../../test/harness/sign-in-outcome.ts'
import { TEST_NOW, startWorld } from '../../../test/harness/start-world.ts'
import { SAME_ORIGIN_HEADERS } from '../../../test/harness/browser-requests.ts'
import { MARA, TOM } from '../../../test/fixtures/people.ts'
import type { Credentials } from '../../platform/http/sign-in.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import { createSignInMemory } from './recalled-sign-in.ts'
import { signInBySession } from './sign-in-by-session.ts'

const { context } = await startWorld()
const { db } = context

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const VALUE = Buffer.alloc(32, 7).toString('base64url')
const ago = (milliseconds: number) => new Date(TEST_NOW.getTime() - milliseconds)
const expired = expect.objectContaining({ reason: 'session_expired' })

/** The session of Tom, and one of Mara that is as old. */
async function begin(created: number, used: number): Promise<void> {
  await sql`insert into session (id, digest, account_id, created_on, last_used_on) values
    ('toms', ${sha256(Buffer.from(VALUE, 'base64url'))}, ${TOM.id}, ${ago(created)}, ${ago(used)}),
    ('maras', ${Buffer.alloc(32, 1)}, ${MARA.id}, ${ago(created)}, ${ago(used)})`.execute(db)
}

const signIn = (more: Partial<Credentials> = {}) =>
  signInBySession(
    context,
    createSignInMemory(),
    { method: 'GET', headers: SAME_ORIGIN_HEADERS, address: '198.51.100.7', request_id: 'r', reads: true, ...more },
    VALUE,
  )

const sessions = async () =>
  (await db.selectFrom('session').select(['id', 'last_used_on']).orderBy('id').execute()).map(
    ({ id, last_used_on }) => [id, TEST_NOW.getTime() - last_used_on.getTime()],
  )

describe('a session', () => {
  test.each([
    { created: 8 * HOUR, used: 8 * HOUR, isOver: false },
    { created: 9 * HOUR, used: 8 * HOUR + 1, isOver: true },
    { created: 30 * DAY, used: 0, isOver: false },
    { created: 30 * DAY + 1, used: 0, isOver: true },
  ])('$created ms old and unused for $used ms is over: $isOver', async ({ created, used, isOver }) => {
    await begin(created, used)
    expect(await signInOutcome(signIn())).toBe(isOver ? 'session_expired' : 'tom')
    expect((await sessions()).map(([id]) => id)).toEqual(isOver ? ['maras'] : ['maras', 'toms'])
  })

  test.each([
    { used: MINUTE - 1, written: MINUTE - 1 },
    { used: MINUTE, written: 0 },
  ])('used $used ms ago is now used $written ms ago, and no other is', async ({ used, written }) => {
    await begin(HOUR, used)
    await signIn()
    expect(await sessions()).toEqual([
      ['maras', used],
      ['toms', written],
    ])
  })

  test('counts for the own page, and for whatever visit was looked at before', async () => {
    await begin(HOUR, 0)
    await expect(signIn({ headers: {} })).rejects.toEqual(expect.objectContaining({ reason: 'cross_site_cookie' }))
    expect(await signIn({ headers: {}, visits: true })).toMatchObject({ login: 'tom' })
  })

  test('lives as long as the settings of now say', async () => {
    await begin(HOUR, 31 * MINUTE)
    await sql`update setting set version = version + 1, chosen = '{"session_idle_minutes": 30}'`.execute(db)
    await expect(signIn()).rejects.toEqual(expired)
  })

  test('of an account that may not sign in is over, and its cookie is cleared', async () => {
    await begin(HOUR, 0)
    await sql`update account set status = 'S' where id = ${TOM.id}`.execute(db)
    const refusal = await signIn().catch((error: unknown) => error)
    expect(refusal).toMatchObject({
      reason: 'session_expired',
      headers: { 'set-cookie': expect.stringContaining('Max-Age=0') },
    })
  })
})
