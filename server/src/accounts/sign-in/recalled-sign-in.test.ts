import type { OutgoingHttpHeaders } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { EVERY_FIELD, HIDDEN_TRACKER, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { ADA, MARA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { CROSS_SITE_HEADERS, signInWithCookie } from '../../../test/harness/browser-requests.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { startRecorder } from '../../../test/suites/sql/record-statements.ts'

const recorder = startRecorder()
afterAll(() => recorder.stop())
const { api, context, clock } = await startWorld()
const { db } = context

let artifact = 0
beforeEach(async () => {
  artifact = await makeTestArtifact(api, await makeTestTracker(api, EVERY_FIELD), { summary: 'Read often' })
})

const read = (as: TestPerson) => api.get(`/artifacts/${artifact}`, { as })
/** Reads until the sign-in is recalled: the first time stores the use of the key. */
async function readTwice(as: TestPerson): Promise<void> {
  await read(as)
  expect((await read(as)).status).toBe(200)
}
const signsIn = (text: string) => /from (?:access_key|session) join account/.test(text) && !text.includes('artifact')
async function countSignIns(work: () => Promise<unknown>): Promise<number> {
  return (await recorder.record(async () => void (await work()))).filter(({ text }) => signsIn(text)).length
}

describe('an access key', () => {
  test('is confirmed by the statement that reads the artifact', async () => {
    await readTwice(MARA)
    expect(await countSignIns(() => read(MARA))).toBe(0)
  })

  test('that was revoked, by whatever process, reads nothing more', async () => {
    await readTwice(TOM)
    await sql`update access_key set is_over = true where id = ${TOM.key_id}`.execute(db)
    expect((await read(TOM)).status).toBe(401)
    await sql`update access_key set is_over = false where id = ${TOM.key_id}`.execute(db)
    await readTwice(TOM)
    await sql`delete from access_key where id = ${TOM.key_id}`.execute(db)
    expect((await read(TOM)).status).toBe(401)
  })

  test('that expires reads nothing from that moment on', async () => {
    const expires_on = new Date(clock.now().getTime() + 10_000)
    await sql`update access_key set expires_on = ${expires_on} where id = ${TOM.key_id}`.execute(db)
    await readTwice(TOM)
    clock.advance(9_999)
    expect((await read(TOM)).status).toBe(200)
    clock.advance(1)
    expect((await read(TOM)).status).toBe(401)
  })

  test('of an account that was suspended reads nothing more', async () => {
    await readTwice(TOM)
    await sql`update account set status = 'S' where id = ${TOM.id}`.execute(db)
    expect(await read(TOM)).toMatchObject({ status: 403, json: { error: { reason: 'account_suspended' } } })
  })

  test('still stores its use once a minute', async () => {
    await readTwice(TOM)
    clock.advance(60_000)
    await read(TOM)
    const { rows } = await sql<{ last_used_on: Date }>`
      select last_used_on from access_key where id = ${TOM.key_id}`.execute(db)
    expect(rows).toEqual([{ last_used_on: clock.now() }])
  })

  test('stores the uses of the others in the same statement', async () => {
    await readTwice(TOM)
    await readTwice(MARA)
    clock.advance(30_000)
    const maraUsedOn = clock.now()
    await read(MARA)
    clock.advance(30_000)
    const stores = (await recorder.record(async () => void (await read(TOM)))).filter(({ text }) =>
      text.includes('update "access_key"'),
    )
    expect(stores).toHaveLength(1)
    const { rows } = await sql<{ id: number; last_used_on: Date }>`
      select id, last_used_on from access_key where id in (${TOM.key_id}, ${MARA.key_id})`.execute(db)
    expect(new Map(rows.map(({ id, last_used_on }) => [id, last_used_on]))).toEqual(
      new Map([
        [TOM.key_id, clock.now()],
        [MARA.key_id, maraUsedOn],
      ]),
    )
    // Not due for another 30 seconds.
    clock.advance(29_000)
    expect(await recorder.record(async () => void (await read(MARA)))).not.toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('update "access_key"') }),
    )
  })

  test('of an administrator who is none any more shows no hidden artifact', async () => {
    artifact = await makeTestArtifact(api, await makeTestTracker(api, HIDDEN_TRACKER), { summary: 'Hidden' })
    await readTwice(ADA)
    await sql`update account set is_site_admin = false where id = ${ADA.id}`.execute(db)
    expect((await read(ADA)).status).toBe(404)
  })

  test('reads with the settings of now', async () => {
    await readTwice(TOM)
    await sql`update setting set version = version + 1, chosen = chosen || '{"platform_name": "Elsewhere"}'`.execute(db)
    expect((await read(TOM)).status).toBe(200)
    expect(context.settings.current.platform_name).toBe('Elsewhere')
  })
})

describe('a list, which confirms no sign-in itself', () => {
  const projects = (as: TestPerson) => api.get('/projects', { as })

  test('signs in without a statement for it while nothing is written', async () => {
    await projects(MARA)
    // Other tests write to the same PostgreSQL, so this may take some attempts.
    await expect.poll(() => countSignIns(() => projects(MARA)), { timeout: 30_000 }).toBe(0)
  })

  test('is refused at once when the key is revoked, by whatever process', async () => {
    for (let round = 0; round < 10; round++) {
      await projects(TOM)
      expect((await projects(TOM)).status).toBe(200)
      await sql`update access_key set is_over = true where id = ${TOM.key_id}`.execute(db)
      expect((await projects(TOM)).status).toBe(401)
      await sql`update access_key set is_over = false where id = ${TOM.key_id}`.execute(db)
    }
  })

  test('does not make a key for reading one for writing', async () => {
    const scopes = (...names: string[]) =>
      sql`update access_key set scopes = ${names} where id = ${TOM.key_id}`.execute(db)
    await scopes('read:rest')
    const body = { values_by_field: { summary: 'Written' } }
    await expect
      .poll(
        async () => {
          await read(TOM)
          expect((await api.put(`/artifacts/${artifact}`, { as: TOM, body })).status).toBe(403)
          return countSignIns(() => projects(TOM))
        },
        { timeout: 30_000 },
      )
      .toBe(0)
    await scopes('write:rest')
  })
})

describe('a session', () => {
  const readBy = (headers: OutgoingHttpHeaders) => api.get(`/artifacts/${artifact}`, { reader: TOM, headers })

  test('is confirmed by the statement that reads the artifact, and ends at once', async () => {
    const session = await signInWithCookie(api, TOM)
    expect((await readBy(session)).status).toBe(200)
    expect(await countSignIns(() => readBy(session))).toBe(0)
    await sql`delete from session where account_id = ${TOM.id}`.execute(db)
    expect((await readBy(session)).status).toBe(401)
  })

  test('is recalled only for our own pages', async () => {
    const { cookie, ...own } = await signInWithCookie(api, TOM)
    expect((await readBy({ ...own, cookie })).status).toBe(200)
    for (const headers of CROSS_SITE_HEADERS)
      expect((await readBy({ ...headers, cookie })).json).toMatchObject({ error: { reason: 'cross_site_cookie' } })
  })

  test('is no access key', async () => {
    const { cookie, ...own } = await signInWithCookie(api, TOM)
    expect((await readBy({ ...own, cookie })).status).toBe(200)
    const [, value = ''] = /=(.*)/.exec(cookie) ?? []
    for (const headers of [{ 'x-auth-accesskey': value }, { authorization: `Bearer ${value}` }])
      expect((await readBy(headers)).status).toBe(401)
  })

  test('never answers for another credential that was sent with it', async () => {
    const session = await signInWithCookie(api, TOM)
    expect((await readBy(session)).status).toBe(200)
    expect((await readBy({ ...session, authorization: 'Basic bm9ib2R5Om5vbmU=' })).status).toBe(401)
    expect((await readBy({ ...session, 'x-auth-token': 'ab'.repeat(16), 'x-auth-userid': '1' })).status).toBe(401)
  })
})
