import { afterAll, beforeEach, expect, test } from 'vitest'
import type { TestClient } from '../../../test/harness/client.ts'
import { createTestDatabase } from '../../../test/harness/database.ts'
import { openLive } from '../../../test/harness/live-query.ts'
import { MARA, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'
import { BUGS, LEADS, LEDGER } from '../../../test/fixtures/seed-ids.ts'
import { seed } from '../../../test/fixtures/seed.ts'
import { startServerProcess } from '../../../test/harness/server-process.ts'
import { openDatabase } from '../../platform/database/db.ts'

// Two server processes on one database: subscribers of one get the writes of the other.
const database = await createTestDatabase()
const owner = openDatabase({ connectionString: database.ownerUrl })
const environment = { WAYPOST_DATABASE_URL: database.appUrl, WAYPOST_LOG_LEVEL: 'error' }
const [one, other] = await Promise.all([startServerProcess(environment), startServerProcess(environment)])
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()])
  await owner.destroy()
})
beforeEach(() => seed(owner))

const LIVE = `/trackers/${BUGS}/artifacts/live`

async function plant(api: TestClient, as: TestPerson, summary: string): Promise<number> {
  const body = { tracker: { id: BUGS }, values_by_field: { summary: { value: summary } } }
  const { status, json, text } = await api.post('/artifacts', { as, body })
  if (status !== 201) throw new Error(text)
  return json.id
}

test('subscribers of one process receive the writes of both', async () => {
  const streams = await Promise.all(
    [one, other].map(({ api }) => openLive(api, `${LIVE}?order=desc&limit=10`, { as: TOM })),
  )
  const written = await Promise.all(
    Array.from({ length: 30 }, (_, at) => plant(at % 2 === 0 ? one.api : other.api, UMA, `Number ${at}`)),
  )
  const wanted = written.toSorted((a, b) => b - a).slice(0, 10)
  for (const stream of streams) {
    const { ids } = await stream.untilRows(({ size, ids: [newest] }) => size === 30 && newest === wanted[0])
    expect(ids).toEqual(wanted)
    stream.close()
  }
})

test('a permission that is withdrawn through one process ends live queries in the other', async () => {
  const stream = await openLive(one.api, `/trackers/${LEDGER}/artifacts/live`, { as: UMA })
  await stream.until((frames) => frames.length > 0)
  const { status } = await other.api.put(`/user_groups/${LEADS}/users`, { as: MARA, body: [{ username: 'gus' }] })
  expect(status).toBe(200)
  await stream.until((frames) => frames.some(({ event, data }) => event === 'end' && data.reason === 'unavailable'))
})

test('a process that shuts down sends its readers to another one, where they get the same rows', async () => {
  const third = await startServerProcess(environment)
  const stream = await openLive(third.api, LIVE, { as: TOM })
  const first = await plant(one.api, UMA, 'First')
  await stream.untilRows(({ ids }) => ids[0] === first)
  expect(await third.stop()).toBe(0)
  expect(stream.frames.at(-1)).toMatchObject({ event: 'end', data: { reason: 'unavailable' } })
  const second = await plant(one.api, UMA, 'Meanwhile')
  const last = stream.frames.findLast(({ id }) => id !== undefined)?.id ?? ''
  const again = await openLive(other.api, LIVE, { as: TOM, headers: { 'last-event-id': last } })
  const { versions } = await again.untilRows(({ ids }) => ids.length === 2)
  expect(again.rows().ids).toEqual([first, second])
  expect(versions.get(first)).toBe(stream.rows().versions.get(first))
  again.close()
})
