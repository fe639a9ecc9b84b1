import { afterAll, beforeAll, expect, test } from 'vitest'
import { createContext } from '../../src/context.ts'
import { createTestDatabase } from '../harness/database.ts'
import { testConfig } from '../harness/start-world.ts'
import { MARA, TOM } from '../fixtures/people.ts'
import { BUG, BUGS } from '../fixtures/seed-ids.ts'
import { isFull } from '../harness/sampling.ts'
import { seed } from '../fixtures/seed.ts'
import { startServerProcess } from '../harness/server-process.ts'
import { closePools } from '../../src/platform/database/pools.ts'

const WRITE_COUNT = isFull ? 1000 : 300
const WRITER_CONCURRENCY = 4

const database = await createTestDatabase()
const context = await createContext(testConfig({ WAYPOST_DATABASE_URL: database.ownerUrl }))
const environment = { WAYPOST_DATABASE_URL: database.appUrl, WAYPOST_LOG_LEVEL: 'error' }
const [writes, reads] = await Promise.all([startServerProcess(environment), startServerProcess(environment)])
beforeAll(() => seed(context.db))
afterAll(async () => {
  await Promise.all([writes.stop(), reads.stop()])
  await closePools(context.pools)
})

/** Searches that must find a write as soon as it is acknowledged: by number index, by word index, and by a column. */
const SEARCHES = [
  (points: number) => `points = ${points}`,
  (_: number, word: string) => `summary = "${word}"`,
  (points: number, word: string) => `points = ${points} AND summary = "${word}" ORDER BY @last_update_date DESC`,
]

test('a search right after an acknowledged write finds it on another server process', {
  timeout: 240_000,
}, async () => {
  const missed: string[] = []
  let next = 0
  const work = async () => {
    const body = { tracker: { id: BUGS }, values_by_field: { summary: 'Mine' } }
    const { id } = (await writes.api.post('/artifacts', { as: MARA, body })).json
    for (let turn = next++; turn < WRITE_COUNT; turn = next++) {
      const [points, word] = [1_000_000 + turn, `word${turn}x`]
      const values = [
        { field_id: BUG.points, value: points },
        { field_id: BUG.summary, value: `Says ${word}` },
      ]
      expect((await writes.api.put(`/artifacts/${id}`, { as: MARA, body: { values } })).status).toBe(200)
      const expert_query = SEARCHES[turn % SEARCHES.length]?.(points, word) ?? ''
      const { json } = await reads.api.get(
        `/trackers/${BUGS}/artifacts?${new URLSearchParams({ expert_query }).toString()}`,
        { as: TOM },
      )
      if (json.length !== 1 || json[0].id !== id) missed.push(`${expert_query}: ${JSON.stringify(json).slice(0, 100)}`)
    }
  }
  await Promise.all(Array.from({ length: WRITER_CONCURRENCY }, work))
  expect(missed).toEqual([])
})
