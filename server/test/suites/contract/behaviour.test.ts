import { describe, expect, test } from 'vitest'
import { ADA, MARA, PASSWORD, TOM } from '../../fixtures/people.ts'
import { ORCHARD, SAFE, VAULT } from '../../fixtures/seed-ids.ts'
import { basic } from '../../harness/client.ts'
import { drainWorker } from '../../harness/run-jobs.ts'
import { startWorld } from '../../harness/start-world.ts'
import { unzip } from '../../harness/unzip.ts'
import { makeValves } from './valves.ts'

const HOUR_MS = 3_600_000
const { api, context, clock } = await startWorld({ seedOnce: true })
const valves = await makeValves(api, context.db)
const { tracker } = valves
const change = (id: number, headers: Record<string, string> = {}) =>
  api.put(`/artifacts/${id}`, { as: TOM, headers, body: valves.payload('Changed') })

describe('deletion', () => {
  test('rule-14 and rule-32 only administrators of the tracker delete artifacts', async () => {
    const id = await valves.make('Kept')
    expect(await api.delete(`/artifacts/${id}`, { as: TOM })).toMatchObject({ status: 403 })
    expect(await api.get(`/artifacts/${id}`, { as: TOM })).toMatchObject({ status: 200 })
    expect(await api.delete(`/artifacts/${id}`, { as: MARA })).toMatchObject({ status: 200 })
  })

  test('rule-15 and rule-34 deletions are limited within 24 hours by a number of the platform', async () => {
    clock.advance(25 * HOUR_MS)
    const limit = (artifact_deletion_limit: number, as = ADA) =>
      api.patch('/settings', { as, body: { artifact_deletion_limit } })
    expect((await limit(5, MARA)).status).toBe(403)
    expect((await limit(2)).status).toBe(200)
    const ids = [await valves.make('One'), await valves.make('Two'), await valves.make('Three')]
    const remove = async (id: number | undefined) => (await api.delete(`/artifacts/${id}`, { as: MARA })).status
    expect(await remove(ids[0])).toBe(200)
    clock.advance(23 * HOUR_MS)
    expect([await remove(ids[1]), await remove(ids[2])]).toEqual([200, 429])
    clock.advance(HOUR_MS) // The window slides: one place is free, not two.
    expect([await remove(ids[2]), await remove(await valves.make('Four'))]).toEqual([200, 429])
    await limit(100)
  })

  test('rule-16 a deleted artifact is archived as XML if that is enabled', async () => {
    await api.patch('/settings', { as: ADA, body: { archive_deleted_artifacts: true } })
    const id = await valves.make('Archived valve')
    await api.delete(`/artifacts/${id}`, { as: MARA })
    await drainWorker(context)
    const { json } = await api.get('/archives', { as: ADA })
    expect(json).toMatchObject([{ artifact: { id }, state: 'written' }])
    const headers = { 'x-auth-accesskey': ADA.key }
    const answer = await fetch(`${api.origin}/api/archives/${json[0].id}/content`, { headers })
    const files = unzip(Buffer.from(await answer.arrayBuffer()))
    const xml = [...files].filter(([name]) => name.endsWith('.xml')).map(([, text]) => text)
    expect(xml.join()).toContain('Archived valve')
  })
})

describe('concurrency', () => {
  test('rule-18 Etag and Last-Modified change with the version, and only with it', async () => {
    const id = await valves.make('Tagged')
    const read = async () => (await api.get(`/artifacts/${id}`, { as: TOM })).headers
    const [first, same] = [await read(), await read()]
    clock.advance(1000)
    await change(id)
    const after = await read()
    expect([same.etag, same['last-modified']]).toEqual([first.etag, first['last-modified']])
    expect([after.etag === first.etag, after['last-modified'] === first['last-modified']]).toEqual([false, false])
  })

  test('rule-19 If-match or If-Unmodified-Since of the current version allows the change', async () => {
    const id = await valves.make('Checked')
    const { headers } = await api.get(`/artifacts/${id}`, { as: TOM })
    expect((await change(id, { 'if-unmodified-since': String(headers['last-modified']) })).status).toBe(200)
    const { headers: next } = await api.get(`/artifacts/${id}`, { as: TOM })
    expect((await change(id, { 'if-match': String(next.etag) })).status).toBe(200)
  })

  test('rule-20 a version that is not the current one is 412, and nothing changes', async () => {
    const id = await valves.make('Raced')
    const { headers } = await api.get(`/artifacts/${id}`, { as: TOM })
    clock.advance(1000)
    await change(id)
    const { json: before } = await api.get(`/artifacts/${id}/changesets`, { as: TOM })
    const stale = [{ 'if-match': String(headers.etag) }, { 'if-unmodified-since': String(headers['last-modified']) }]
    for (const condition of stale) expect((await change(id, condition)).status).toBe(412)
    expect((await api.get(`/artifacts/${id}/changesets`, { as: TOM })).json).toEqual(before)
  })

  test('rule-21 without a condition the artifact is overwritten', async () => {
    const id = await valves.make('Overwritten')
    await change(id)
    expect(await api.put(`/artifacts/${id}`, { as: MARA, body: valves.payload('Last one') })).toMatchObject({
      status: 200,
      json: { title: 'Last one' },
    })
  })
})

describe('authentication', () => {
  test('rule-02 and rule-27 some resources are anonymous, and others answer 401 without credentials', async () => {
    expect((await api.get(`/projects/${ORCHARD}`)).status).toBe(200)
    for (const path of [`/projects/${VAULT}`, `/trackers/${SAFE}`, '/users/self'])
      expect([path, (await api.get(path)).status]).toEqual([path, 401])
  })

  test('rule-28 and rule-33 invalid credentials are 401, also on an anonymous resource', async () => {
    const wrong = [
      { 'x-auth-accesskey': `${TOM.key}x` },
      { 'x-auth-token': 'a'.repeat(32), 'x-auth-userid': String(TOM.id) },
      basic(TOM, 'wrong'),
    ]
    for (const headers of wrong) expect((await api.get(`/projects/${ORCHARD}`, { headers })).status).toBe(401)
    const id = await valves.make('Errors')
    expect((await change(id, { 'if-match': '"stale"' })).status).toBe(412)
  })

  test('rule-29 a key, a token and HTTP Basic sign in', async () => {
    const { json } = await api.post('/tokens', { body: { username: TOM.login, password: PASSWORD } })
    const ways = [
      { 'x-auth-accesskey': TOM.key },
      { 'x-auth-token': json.token, 'x-auth-userid': json.user_id },
      basic(TOM),
    ]
    for (const headers of ways)
      expect((await api.get('/users/self', { headers, reader: TOM })).json).toMatchObject({ username: 'tom' })
  })

  test('rule-30 a token is valid for 24 hours, then 401', async () => {
    const { json } = await api.post('/tokens', { body: { username: TOM.login, password: PASSWORD } })
    const headers = { 'x-auth-token': json.token, 'x-auth-userid': json.user_id }
    const status = async () => (await api.get('/users/self', { headers, reader: TOM })).status
    clock.advance(24 * HOUR_MS - 1000)
    expect(await status()).toBe(200)
    clock.advance(2000)
    expect(await status()).toBe(401)
  })

  test('rule-31 keys are shown once, with an optional description and their last use, and are deleted', async () => {
    const make = (body: object) => api.post('/access_keys', { headers: basic(TOM), reader: TOM, body })
    const [first, second] = [
      await make({ scopes: ['write:rest'] }),
      await make({ scopes: ['write:rest'], description: 'For scripts' }),
    ]
    expect([first.status, second.status]).toEqual([201, 201])
    const { identifier: key } = second.json
    const headers = { 'x-auth-accesskey': key }
    expect((await api.get('/users/self', { headers, reader: TOM })).status).toBe(200)
    const { json: listed, text } = await api.get(`/users/${TOM.id}/access_keys`, { headers: basic(TOM), reader: TOM })
    expect([listed.length >= 3, text.includes(key)]).toEqual([true, false])
    const shown = listed.find(({ description }: { description: string }) => description === 'For scripts')
    expect(shown.last_used_on).not.toBeNull()
    expect((await api.delete(`/access_keys/${shown.id}`, { headers: basic(TOM), reader: TOM })).status).toBe(200)
    expect((await api.get('/users/self', { headers, reader: TOM })).status).toBe(401)
  })
})

test('rule-35 the size of pages and bodies is limited, and the limit is told', async () => {
  const list = `/trackers/${tracker.id}/artifacts`
  const most = Number((await api.get(list, { as: TOM })).headers['x-pagination-limit-max'])
  expect(await api.get(`${list}?limit=${most}`, { as: TOM })).toMatchObject({ status: 200 })
  expect(await api.get(`${list}?limit=${most + 1}`, { as: TOM })).toMatchObject({ status: 400 })
  const body = valves.payload('x'.repeat(50_000_000))
  expect(await api.post('/artifacts', { as: TOM, body })).toMatchObject({ status: 413 })
})

test('rule-36 changes are told in a feed', async () => {
  const { json: start } = await api.get('/events', { as: TOM })
  const id = await valves.make('Told')
  await expect
    .poll(async () => JSON.stringify((await api.get(`/events?after=${start.next}`, { as: TOM })).json))
    .toContain(`artifacts/${id}`)
})
