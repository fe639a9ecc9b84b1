import { beforeEach, expect, test } from 'vitest'
import { makeTestArtifact, makeTestTracker } from '../fixtures/every-field.ts'
import { startWorld } from '../harness/start-world.ts'
import { signInWithCookie } from '../harness/browser-requests.ts'
import { MARA, TOM } from '../fixtures/people.ts'

// F27: two servers on one database, whose clocks differ by five seconds.
const { api: ahead, clock, startAnother } = await startWorld()
const CLOCK_LAG_MS = 5_000
const { api: behind } = await startAnother({ now: () => new Date(clock.now().getTime() - CLOCK_LAG_MS) })
const elements = [{ name: 'summary', type: 'string', label: 'Summary' }]
const TREES = { label: 'Trees', item_name: 'tree', elements, permissions: { full: ['@anonymous'] } }

let id: number
beforeEach(async () => {
  id = await makeTestArtifact(ahead, await makeTestTracker(ahead, TREES), { summary: 'Seed' })
})
const write = (api: typeof ahead, summary: string, headers: Record<string, string> = {}) =>
  api.put(`/artifacts/${id}`, { as: MARA, headers, body: { values_by_field: { summary } } })

test('the times of versions increase, on whichever server they are written', async () => {
  for (const [turn, api] of [behind, ahead, behind, behind, ahead, behind].entries()) {
    clock.advance(100)
    expect((await write(api, `Version ${turn}`)).status).toBe(200)
  }
  const { json } = await behind.get(`/artifacts/${id}/changesets?limit=50`, { as: TOM })
  const times = json.map(({ submitted_on }: { submitted_on: string }) => Date.parse(submitted_on))

  expect(times).toHaveLength(7)
  expect(times).toEqual(times.toSorted((one: number, other: number) => one - other))
})

test('no change is lost: both servers refuse a stale version', async () => {
  const { headers } = await ahead.get(`/artifacts/${id}`, { as: MARA })
  const known = { 'if-match': headers['etag'] ?? '' }
  expect((await write(behind, 'First', known)).status).toBe(200)

  for (const api of [ahead, behind]) expect((await write(api, 'Late', known)).status).toBe(412)
})

test('a key, a session and a repeated request work alike on both', async () => {
  const made = await ahead.post('/access_keys', { as: TOM, body: { description: 'Apart', scopes: ['write:rest'] } })
  expect((await behind.get('/users/self', { as: { ...TOM, key: made.json.identifier } })).status).toBe(200)

  const headers = await signInWithCookie(ahead, TOM)
  expect((await behind.get('/session', { headers, reader: TOM })).status).toBe(200)

  const asked = { as: MARA, headers: { 'idempotency-key': 'one-and-the-same-key' } }
  const body = { values_by_field: { summary: 'Once' } }
  const first = await ahead.put(`/artifacts/${id}`, { ...asked, body })
  const again = await behind.put(`/artifacts/${id}`, { ...asked, body })
  expect([first.status, again.status, again.text]).toEqual([200, 200, first.text])
  expect((await ahead.get(`/artifacts/${id}/changesets?limit=50`, { as: TOM })).json).toHaveLength(2)
})
