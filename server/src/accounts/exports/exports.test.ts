import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { TEST_NOW, startWorld } from '../../../test/harness/start-world.ts'
import { startMailPeer } from '../../../test/peers/mail-peer.ts'
import { ADA, MARA, OLGA, RITA, TOM, UMA, type TestPerson } from '../../../test/fixtures/people.ts'
import { LEADS, ORCHARD, QUARRY } from '../../../test/fixtures/seed-ids.ts'
import { runJobs } from '../../../test/harness/run-jobs.ts'
import { unzip } from '../../../test/harness/unzip.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { enqueueJob } from '../../platform/jobs/jobs.ts'

const peer = await startMailPeer()
const { api, context, clock } = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url } })

const DAY = 86_400_000
const PATH = '/users/self/export'

describe('requesting an export', () => {
  test('responds 202 without content; the job builds the file and sends a mail', async () => {
    expect((await api.get(PATH, { as: TOM })).json.error).toMatchObject({ code: 404, reason: 'not_set' })
    const asked = await api.post(PATH, { as: TOM })
    expect([asked.status, asked.text]).toEqual([202, ''])
    expect((await api.get(PATH, { as: TOM })).json).toEqual({
      state: 'waiting',
      made_on: null,
      expires_on: null,
      size: null,
      resources: [],
    })
    expect((await api.get(`${PATH}/content`, { as: TOM })).json.error.reason).toBe('not_set')
    expect(peer.mails).toEqual([])

    await runJobs(context)

    expect((await api.get(PATH, { as: TOM })).json).toEqual({
      state: 'ready',
      made_on: '2026-03-01T09:30:00+00:00',
      expires_on: '2026-03-08T09:30:00+00:00',
      size: (await download(TOM)).length,
      resources: [{ type: 'content', uri: 'users/self/export/content' }],
    })
    expect(peer.mails).toMatchObject([{ to: [TOM.email], subject: 'Your data on Waypost' }])
    expect(peer.mails[0]?.text).toContain('https://waypost.example/api/users/self/export/content\n')
  })

  test('is possible once a day, and replaces the previous export', async () => {
    await make(TOM)
    clock.advance(DAY - 1500)
    const refused = await api.post(PATH, { as: TOM })
    expect(refused.json.error).toMatchObject({ code: 429, reason: 'rate_limited' })
    expect(refused.headers['retry-after']).toBe('2')
    expect((await api.get(PATH, { as: TOM })).json.state).toBe('ready')
    expect((await api.post(PATH, { as: MARA })).status).toBe(202)

    clock.advance(1500)
    expect((await api.post(PATH, { as: TOM })).status).toBe(202)
    expect((await api.get(PATH, { as: TOM })).json).toMatchObject({ state: 'waiting', size: null })
  })

  test('many times concurrently creates one', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => api.post(PATH, { as: TOM })))

    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['202', '429', '429', '429', '429'])
    await runJobs(context)
    expect(peer.mails).toHaveLength(1)
  })

  test('as a dry run creates none', async () => {
    const { json } = await api.post(`${PATH}?dry_run=true`, { as: TOM })

    expect(json.dry_run).toMatchObject({ status: 202, notified: [{ user: { username: 'tom' }, channel: 'mail' }] })
    expect((await api.get(PATH, { as: TOM })).status).toBe(404)
  })

  test('is audited, and so is the download', async () => {
    await make(TOM)
    await download(TOM)

    const { rows } =
      await sql`select action, actor_id, object from audit where actor_id = ${TOM.id} order by id`.execute(context.db)
    expect(rows).toEqual([
      { action: 'user.export', actor_id: TOM.id, object: `users/${TOM.id}` },
      { action: 'export', actor_id: TOM.id, object: `users/${TOM.id}` },
    ])
  })
})

describe('the file', () => {
  test('is a zip download', async () => {
    await make(TOM)
    const { status, headers } = await api.get(`${PATH}/content`, { as: TOM, headers: { accept: 'application/zip' } })

    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="waypost-export-2026-03-01.zip"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect((await api.request('HEAD', `${PATH}/content`, { as: TOM })).headers['content-type']).toBe('application/zip')
    const refused = await api.get(`${PATH}/content`, { as: TOM, headers: { accept: 'image/png' } })
    expect(refused.json.error).toMatchObject({ code: 406, reason: 'not_acceptable' })
    const xml = await api.get(`${PATH}/content`, { as: MARA, headers: { accept: 'application/xml' } })
    expect(xml.text).toContain('<reason>not_set</reason>')
  })

  test('has a line for each stored object, and no secret', async () => {
    await api.patch('/users/self/preferences', { as: UMA, body: { key: 'theme', value: 'dark' } })
    await sql`insert into session (id, digest, account_id, created_on, last_used_on, address, agent)
      values ('5e55', ${Buffer.alloc(32, 7)}, ${UMA.id}, ${TEST_NOW}, ${TEST_NOW}, '198.51.100.7', 'Firefox')`.execute(
      context.db,
    )
    await make(UMA)

    const files = unzip(await download(UMA))

    expect([...files.keys()]).toEqual([
      'account.ndjson',
      'access_keys.ndjson',
      'sessions.ndjson',
      'avatar.ndjson',
      'preferences.ndjson',
      'memberships.ndjson',
      'uploads.ndjson',
      'artifacts.ndjson',
      'comments.ndjson',
      'comment_versions.ndjson',
      'reactions.ndjson',
      'favourites.ndjson',
      'recently_seen.ndjson',
      'dashboard.ndjson',
      'watches.ndjson',
    ])
    expect(linesOf(files, 'account')).toMatchObject([
      { username: 'uma', real_name: UMA.real_name, email: UMA.email, created_on: '2026-01-01T00:00:00+00:00' },
    ])
    expect(linesOf(files, 'access_keys')).toMatchObject([
      { id: UMA.key_id, scopes: [{ identifier: 'write:rest' }, { identifier: 'write:account' }] },
    ])
    expect(linesOf(files, 'sessions')).toMatchObject([{ id: '5e55', address: '198.51.100.7', agent: 'Firefox' }])
    expect(linesOf(files, 'preferences')).toEqual([{ key: 'theme', value: 'dark' }])
    expect(linesOf(files, 'memberships')).toMatchObject([
      { project: { id: ORCHARD, shortname: 'orchard' }, is_member: true, is_admin: false, user_groups: ['leads'] },
    ])
    const everything = [...files.values()].join('\n')
    for (const secret of ['$argon2', 'digest', 'password', UMA.key]) expect(everything).not.toContain(secret)
  })

  test('contains what the account may read now, and nothing of others', async () => {
    await make(RITA)
    await make(OLGA)

    const ritas = unzip(await download(RITA))
    expect(linesOf(ritas, 'memberships')).toMatchObject([{ project: { id: QUARRY } }])
    expect(linesOf(unzip(await download(OLGA)), 'memberships')).toEqual([])
    expect((await api.get(`${PATH}/content`, { as: ADA })).status).toBe(404)
  })

  test('contains submitted artifacts and comments, as far as the account may still read them', async () => {
    const tracker = await makeTestTracker(api, EVERY_FIELD)
    const [mine, gone] = [await submitted(tracker, 'Crates'), await submitted(tracker, 'Ladders')]
    const others = await makeTestArtifact(api, tracker, { summary: 'Of Mara' })
    const say = (id: number, comment: object) => api.put(`/artifacts/${id}`, { as: TOM, body: { values: [], comment } })
    expect((await say(others, { body: 'Seen', format: 'text' })).status).toBe(200)
    expect((await say(others, { body: 'Psst', format: 'text', ugroups: [String(LEADS)] })).status).toBe(200)
    const { json: versions } = await api.get(`/artifacts/${others}/changesets`, { as: TOM })
    const comment = `/artifacts/${others}/changesets/${versions[1].id}/comment`
    await api.put(comment, { as: TOM, body: { body: 'Seen twice', format: 'text' } })
    await api.put(`${comment}/reactions/eyes`, { as: TOM })
    for (const id of [mine, gone, others]) await api.put(`/artifacts/${id}/favourite`, { as: TOM })
    await api.put(`/artifacts/${others}/seen`, { as: TOM })
    await api.put('/users/self/dashboard', { as: TOM, body: { widgets: [{ type: 'note', text: 'Mine' }] } })
    await api.delete(`/artifacts/${gone}`, { as: MARA })
    await make(TOM)

    const files = unzip(await download(TOM))
    expect(linesOf(files, 'artifacts')).toMatchObject([{ id: mine, title: 'Crates' }])
    expect(linesOf(files, 'comments')).toMatchObject([
      { artifact: { id: others, uri: `artifacts/${others}` }, version: 2, body: 'Seen twice', format: 'text' },
    ])
    expect(linesOf(files, 'comment_versions')).toMatchObject([{ artifact: { id: others }, version: 2, body: 'Seen' }])
    expect(linesOf(files, 'reactions')).toMatchObject([{ artifact: { id: others }, version: 2, reaction: 'eyes' }])
    expect(linesOf(files, 'favourites')).toMatchObject([{ id: mine, label: 'Crates' }, { id: others }])
    expect(linesOf(files, 'recently_seen')).toMatchObject([{ id: others, label: 'Of Mara' }])
    expect(linesOf(files, 'dashboard')).toMatchObject([{ type: 'note', text: 'Mine' }])
  })

  test('is available for 7 days, and then removed by the clean-up', async () => {
    await make(TOM)
    clock.advance(7 * DAY - 1)
    await cleanUp()
    expect((await api.get(`${PATH}/content`, { as: TOM })).status).toBe(200)

    clock.advance(1)
    expect((await api.get(`${PATH}/content`, { as: TOM })).json.error.reason).toBe('not_set')
    expect((await api.get(PATH, { as: TOM })).json.error.reason).toBe('not_set')
    expect(await kept()).toBe(1)
    await cleanUp()
    expect(await kept()).toBe(0)
  })

  test('that was never built is dropped after 7 days', async () => {
    await api.post(PATH, { as: TOM })
    await sql`delete from job`.execute(context.db)
    clock.advance(7 * DAY - 1)
    await cleanUp()
    expect(await kept()).toBe(1)

    clock.advance(1)
    await cleanUp()
    expect(await kept()).toBe(0)
  })
})

describe('an account that is gone', () => {
  test('loses the file when erased', async () => {
    await make(TOM)
    expect((await api.delete(`/users/${TOM.id}`, { as: ADA, body: { confirm: TOM.login } })).status).toBe(200)

    expect(await kept()).toBe(0)
  })

  test('gets neither file nor mail when erased or suspended before the job runs', async () => {
    await api.post(PATH, { as: TOM })
    await api.post(PATH, { as: OLGA })
    await api.delete(`/users/${TOM.id}`, { as: ADA, body: { confirm: TOM.login } })
    await api.patch(`/users/${OLGA.id}`, { as: ADA, body: { status: 'S' } })

    await runJobs(context)

    const { rows } = await sql`select account_id, content from export_file`.execute(context.db)
    expect(rows).toEqual([{ account_id: OLGA.id, content: null }])
    expect(peer.mails).toEqual([])
  })
})

test('a job that runs twice builds and mails one file', async () => {
  await make(TOM)
  const first = await download(TOM)
  clock.advance(60_000)
  await inTransaction(context.db, (tx) => enqueueJob(tx, { type: 'export', payload: { account_id: TOM.id } }, null))
  await runJobs(context)

  expect(await download(TOM)).toEqual(first)
  expect(peer.mails).toHaveLength(1)
})

async function make(person: TestPerson): Promise<void> {
  expect((await api.post(PATH, { as: person })).status).toBe(202)
  await runJobs(context)
}

async function submitted(tracker: MadeTracker, summary: string): Promise<number> {
  const body = { tracker: { id: tracker.id }, values_by_field: { summary } }
  return (await api.post('/artifacts', { as: TOM, body })).json.id
}

async function cleanUp(): Promise<void> {
  await inTransaction(context.db, (tx) => enqueueJob(tx, { type: 'clean_up', payload: {} }, null))
  await runJobs(context)
}

async function kept(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from export_file`.execute(context.db)
  return rows[0]?.count ?? 0
}

/** The raw bytes; the test client would decode them as text. */
async function download({ key }: TestPerson): Promise<Buffer> {
  const answer = await fetch(`${api.origin}/api${PATH}/content`, { headers: { 'x-auth-accesskey': key } })
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

function linesOf(files: ReadonlyMap<string, string>, name: string): unknown[] {
  const text = files.get(`${name}.ndjson`) ?? ''
  return text
    .split('\n')
    .filter(Boolean)
    .map((line): unknown => JSON.parse(line))
}
