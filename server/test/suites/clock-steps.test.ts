import { beforeEach, expect, test } from 'vitest'
import { makeTestArtifact, makeTestTracker } from '../fixtures/every-field.ts'
import { TEST_NOW, startWorld } from '../harness/start-world.ts'
import { signInWithCookie } from '../harness/browser-requests.ts'
import { ADA, MARA, PASSWORD, TOM } from '../fixtures/people.ts'
import { refused } from '../harness/refused.ts'

// F25: the clock is set, forward and back.
const { api, clock } = await startWorld()
const HOUR = 3_600_000
const DAY = 24 * HOUR
const elements = [{ name: 'summary', type: 'string', label: 'Summary' }]
const TREES = {
  label: 'Trees',
  item_name: 'tree',
  elements,
  permissions: { full: ['@anonymous'] },
  semantics: { title: 'summary' },
}

let tracker: Awaited<ReturnType<typeof makeTestTracker>>
beforeEach(async () => {
  tracker = await makeTestTracker(api, TREES)
})

test('versions are ordered as written, with increasing times', async () => {
  const id = await makeTestArtifact(api, tracker, { summary: 'Version 1' })
  const day = (text: string) => Date.parse(text) - TEST_NOW.getTime()
  // Includes a leap day, and both daylight saving changes in Paris.
  const steps = [HOUR, -HOUR, DAY, 0, day('2028-02-29T23:59:59.999Z'), -DAY, day('2026-03-29T00:59:59Z'), HOUR]
  const tags = new Set<string>()
  const dates: number[] = []
  for (const [turn, step] of [...steps, day('2026-10-25T01:00:00Z'), day('2026-10-25T00:30:00Z')].entries()) {
    clock.set(new Date(TEST_NOW.getTime() + step))
    const summary = `Version ${turn + 2}`
    const { status, headers } = await api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: { summary } } })
    expect(status).toBe(200)
    tags.add(String(headers['etag']))
    dates.push(Date.parse(String(headers['last-modified'])))
  }
  const { json } = await api.get(`/artifacts/${id}/changesets?limit=50`, { as: TOM })
  const times = json.map(({ submitted_on }: { submitted_on: string }) => Date.parse(submitted_on))

  expect(times).toHaveLength(steps.length + 3)
  expect(times).toEqual(times.toSorted((one: number, other: number) => one - other))
  expect(tags.size).toBe(steps.length + 2)
  expect(dates).toEqual([...new Set(dates)].toSorted((one, other) => one - other))
  for (let version = 1; version <= times.length; version++)
    expect((await api.get(`/artifacts/${id}?version=${version}`, { as: TOM })).json.title).toBe(`Version ${version}`)
})

test('an expired object does not revive when the clock is set back', async () => {
  const session = await signInWithCookie(api, TOM)
  const token = await api.post('/tokens', { body: { username: TOM.login, password: PASSWORD } })
  const key = await api.post('/access_keys', {
    as: TOM,
    body: { description: 'For a day', scopes: ['write:rest'], expiration_date: '2026-03-02T09:30:00Z' },
  })
  const asked = [
    { headers: session, reader: TOM },
    { headers: { 'x-auth-userid': token.json.user_id, 'x-auth-token': token.json.token }, reader: TOM },
    { as: { ...TOM, key: key.json.identifier } },
  ]
  const statuses = async () => Promise.all(asked.map(async (each) => (await api.get('/users/self', each)).status))

  expect(await statuses()).toEqual(asked.map(() => 200))
  clock.advance(400 * DAY)
  expect(await statuses()).toEqual(asked.map(() => 401))
  clock.set(TEST_NOW)
  expect(await statuses()).toEqual(asked.map(() => 401))
})

test('deletions stay effective at every clock time', async () => {
  await api.patch('/settings', { as: ADA, body: { artifact_deletion_limit: 2 } })
  const ids: number[] = []
  for (let count = 0; count < 4; count++) ids.push(await makeTestArtifact(api, tracker, { summary: `Tree ${count}` }))
  const remove = (at: number) => api.delete(`/artifacts/${ids[at]}`, { as: MARA })
  expect([(await remove(0)).status, (await remove(1)).status]).toEqual([200, 200])

  for (const step of [0, -HOUR, -2 * DAY, HOUR]) {
    clock.set(new Date(TEST_NOW.getTime() + step))
    expect(await remove(2)).toMatchObject(refused(429, 'deletion_limit_reached'))
  }
  clock.set(new Date(TEST_NOW.getTime() + DAY + HOUR))
  expect((await remove(2)).status).toBe(200)
})
