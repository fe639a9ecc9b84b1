import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { TEST_NOW, startWorld } from '../../../test/harness/start-world.ts'
import { MARA, OLGA, SAM, TOM } from '../../../test/fixtures/people.ts'
import { ANONYMOUS_VIEWER } from '../../platform/http/request-state.ts'
import type { Credential, Viewer } from '../../platform/http/viewer.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import { findUsableViewer } from './find-viewer.ts'
import { type StreamSession, revalidateCredentials } from './revalidate-credentials.ts'

const { context } = await startWorld()
const { db } = context

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const TOKEN = 'ab'.repeat(16)
const ago = (milliseconds: number) => new Date(TEST_NOW.getTime() - milliseconds)
const key: Credential = { kind: 'access_key', id: String(TOM.key_id) }
const session: Credential = { kind: 'session', id: 'of tom' }
const token: Credential = { kind: 'token', id: null }

/** Whether a stream with this credential stays open. */
async function stays(credential: Credential, more: Partial<StreamSession> = {}): Promise<boolean> {
  const [guest] = await revalidateCredentials(context, [{ ...(await tom(credential)), ...more }])
  return guest !== undefined
}

async function tom(credential: Credential): Promise<StreamSession> {
  const viewer = await findUsableViewer(context, TOM.id)
  if (!viewer) throw new Error('Tom cannot sign in.')
  return { viewer: { ...viewer, credential }, headers: { 'x-auth-token': TOKEN } }
}

async function choose(settings: object): Promise<void> {
  await sql`update setting set version = version + 1, chosen = ${JSON.stringify(settings)}::jsonb`.execute(db)
}

describe('a key', () => {
  test.each([
    { what: 'without an end', expires_on: null, is_over: false, expected: true },
    { what: 'with an end to come', expires_on: new Date(TEST_NOW.getTime() + 1), is_over: false, expected: true },
    { what: 'that ends now', expires_on: TEST_NOW, is_over: false, expected: false },
    { what: 'that was over before a clock was set back', expires_on: null, is_over: true, expected: false },
  ])('$what: $expected', async ({ expires_on, is_over, expected }) => {
    await sql`update access_key set expires_on = ${expires_on}, is_over = ${is_over} where id = ${TOM.key_id}`.execute(
      db,
    )
    expect(await stays(key)).toBe(expected)
  })

  test('that is deleted: false', async () => {
    await sql`delete from access_key where id = ${TOM.key_id}`.execute(db)
    expect(await stays(key)).toBe(false)
  })
})

describe('a session', () => {
  const begin = (created: Date, used: Date) =>
    sql`insert into session (id, digest, account_id, created_on, last_used_on)
      values ('of tom', ${Buffer.alloc(32, 1)}, ${TOM.id}, ${created}, ${used})`.execute(db)

  test.each([
    { created: 8 * HOUR, used: 8 * HOUR, expected: true },
    { created: 9 * HOUR, used: 8 * HOUR + 1, expected: false },
    { created: 30 * DAY, used: 0, expected: true },
    { created: 30 * DAY + 1, used: 0, expected: false },
  ])('$created ms old and unused for $used ms: $expected', async ({ created, used, expected }) => {
    await begin(ago(created), ago(used))
    expect(await stays(session)).toBe(expected)
  })

  test('lives as long as the settings say now', async () => {
    await begin(ago(2 * DAY), ago(6 * MINUTE))
    expect(await stays(session)).toBe(true)
    await choose({ session_idle_minutes: 5 })
    expect(await stays(session)).toBe(false)
    await choose({ session_max_days: 1 })
    expect(await stays(session)).toBe(false)
  })

  test('that has ended, be there another: false', async () => {
    await begin(TEST_NOW, TEST_NOW)
    expect(await stays({ kind: 'session', id: 'another' })).toBe(false)
  })
})

describe('a token', () => {
  const make = (created: Date, is_over = false) =>
    sql`insert into token (digest, account_id, created_on, is_over)
      values (${sha256(Buffer.from(TOKEN, 'hex'))}, ${TOM.id}, ${created}, ${is_over})`.execute(db)

  test.each([
    { created: 0, is_over: false, expected: true },
    { created: DAY, is_over: false, expected: true },
    { created: DAY + 1, is_over: false, expected: false },
    { created: 0, is_over: true, expected: false },
  ])('$created ms old, over $is_over: $expected', async ({ created, is_over, expected }) => {
    await make(ago(created), is_over)
    expect(await stays(token)).toBe(expected)
  })

  test('another one: false', async () => {
    await make(TEST_NOW)
    expect(await stays(token, { headers: { 'x-auth-token': 'cd'.repeat(16) } })).toBe(false)
  })

  test('ends where passwords do', async () => {
    await make(TEST_NOW)
    await choose({ password_sign_in: 'browser' })
    expect(await stays(token)).toBe(false)
  })
})

describe('a password', () => {
  test('ends with another password, and where passwords sign in no more', async () => {
    const [first] = await revalidateCredentials(context, [await tom({ kind: 'basic', id: null })])
    if (!first) throw new Error('Tom was sent away.')
    expect(await revalidateCredentials(context, [first])).toMatchObject([{ viewer: { login: 'tom' } }])
    await sql`update account set password_hash = 'another' where id = ${TOM.id}`.execute(db)
    expect(await revalidateCredentials(context, [first])).toEqual([undefined])
    expect(await stays(key, first.password === undefined ? {} : { password: first.password })).toBe(true)
    await choose({ password_sign_in: 'never' })
    expect(await stays({ kind: 'basic', id: null })).toBe(false)
    expect(await stays(key)).toBe(true)
  })
})

test('a credential that cannot begin a stream does not keep one open', async () => {
  expect(await stays({ kind: 'svn', id: null })).toBe(false)
})

test('those without an account stay as long as the platform is open to them', async () => {
  const guest = { viewer: ANONYMOUS_VIEWER, headers: {} }
  expect(await revalidateCredentials(context, [guest])).toEqual([guest])
  await choose({ anonymous_access: false })
  expect(await revalidateCredentials(context, [guest])).toEqual([undefined])
})

test('each keeps their place, and is who they are now', async () => {
  const as = async ({ id, key_id }: typeof TOM): Promise<Viewer> => {
    const viewer = (await findUsableViewer(context, id)) ?? { ...ANONYMOUS_VIEWER, account_id: id }
    return { ...viewer, credential: { kind: 'access_key', id: String(key_id) } }
  }
  const guests = [
    { viewer: await as(MARA), headers: {} },
    { viewer: await as(SAM), headers: {} },
  ]
  guests.push({ viewer: await as(OLGA), headers: {} }, { viewer: ANONYMOUS_VIEWER, headers: {} })
  await sql`update account set status = 'R' where id = ${OLGA.id}`.execute(db)

  const left = await revalidateCredentials(context, guests)
  expect(left.map((guest) => guest?.viewer.login)).toEqual(['mara', undefined, 'olga', undefined])
  expect(left.map((guest) => guest?.viewer.is_restricted)).toEqual([false, undefined, true, undefined])
})
