import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { TestClient } from '../../test/harness/client.ts'
import { createTestDatabase } from '../../test/harness/database.ts'
import { openStream, currentFeedCursor } from '../../test/harness/event-stream.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM, UMA } from '../../test/fixtures/people.ts'
import { BUGS, ORCHARD } from '../../test/fixtures/seed-ids.ts'
import { seed } from '../../test/fixtures/seed.ts'
import { startServerProcess } from '../../test/harness/server-process.ts'
import { inTransaction, openDatabase } from '../platform/database/db.ts'
import { recordEvent } from '../platform/database/events.ts'
import { ANONYMOUS_VIEWER } from '../platform/http/request-state.ts'

// Two server processes on one database: readers of one get the writes of the other.
const database = await createTestDatabase()
const owner = openDatabase({ connectionString: database.ownerUrl, idle_in_transaction_session_timeout: 60_000 })
const environment = { WAYPOST_DATABASE_URL: database.appUrl, WAYPOST_LOG_LEVEL: 'error' }
const [one, other] = await Promise.all([startServerProcess(environment), startServerProcess(environment)])
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()])
  await owner.destroy()
})
let start: string
beforeEach(async () => {
  await seed(owner)
  start = await currentFeedCursor(one.api)
})

const WRITERS = [TOM, UMA, MARA, ADA] as const
const EACH = 25

async function plant(api: TestClient, as: TestPerson, summary: string): Promise<string> {
  const body = { tracker: { id: BUGS }, values_by_field: { summary: { value: summary } } }
  const { status, json, text } = await api.post('/artifacts', { as, body })
  if (status !== 201) throw new Error(text)
  return `artifacts/${json.id}`
}

test('a reader of one process receives events that were written through the other', async () => {
  const stream = await openStream(one.api, '/events', { as: OLGA })
  const object = await plant(other.api, TOM, 'It leaks')
  const [frame] = await stream.until((frames) => frames.length > 0)
  expect(frame?.data).toMatchObject({ object, actor: { username: 'tom' } })
  stream.close()
})

test('a reader who is disconnected again and again gets every event exactly once', async () => {
  const written: string[] = []
  const writing = Promise.all(
    WRITERS.map(async (as, writer) => {
      for (let turn = 0; turn < EACH; turn++)
        written.push(await plant(writer % 2 === 0 ? one.api : other.api, as, `${as.login} ${turn}`))
    }),
  )
  const held = inTransaction(owner, async (tx) => {
    const origin = { viewer: ANONYMOUS_VIEWER, request_id: null, address: null }
    await recordEvent(tx, origin, { type: 'project.changed', object: 'projects/2001', project_id: ORCHARD })
    await pause(700) // Begun first, committed last.
  })

  const ids: string[] = []
  const objects: string[] = []
  let place = start
  for (let turn = 0; objects.length < WRITERS.length * EACH + 1; turn++) {
    const api = turn % 2 === 0 ? one.api : other.api
    const stream = await openStream(api, '/events', { as: OLGA, headers: { 'last-event-id': place } })
    const wanted = 1 + ((turn * 7) % 23)
    await stream.until(({ length }) => length >= wanted, 1500).catch(() => {}) // There may be no more.
    stream.close()
    for (const { id, data } of stream.frames) {
      ids.push(id ?? '')
      objects.push(data.object)
      place = id ?? place
    }
    if (turn > 200) throw new Error(`${objects.length} of ${written.length} came.`)
  }
  await Promise.all([writing, held])

  expect(objects.toSorted()).toEqual(['projects/2001', ...written].toSorted())
  expect(new Set(ids).size).toBe(ids.length)
  const { json } = await one.api.get(`/events?after=${start}&limit=1000`, { as: OLGA })
  expect(json.events.map(({ id }: { id: string }) => id)).toEqual(ids)
})

test('a process that shuts down sends its readers to another one', async () => {
  const third = await startServerProcess(environment)
  const stream = await openStream(third.api, '/events', { as: OLGA })
  await plant(one.api, TOM, 'Before')
  const [first] = await stream.until((frames) => frames.length > 0)
  const began = Date.now()
  expect(await third.stop()).toBe(0)
  expect(Date.now() - began).toBeLessThan(15_000)
  expect(stream.frames.at(-1)).toMatchObject({ event: 'end', data: { reason: 'unavailable' } })
  const object = await plant(one.api, TOM, 'Meanwhile')
  const again = await openStream(one.api, '/events', { as: OLGA, headers: { 'last-event-id': first?.id ?? '' } })
  const [next] = await again.until((frames) => frames.length > 0)
  expect(next?.data.object).toBe(object)
  again.close()
})
