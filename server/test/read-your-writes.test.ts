import { afterAll, beforeAll, expect, test } from 'vitest'
import { createContext } from '../src/context.ts'
import { createTestDatabase } from './database.ts'
import { testConfig } from './harness.ts'
import { MARA, TOM } from './people.ts'
import { BUG, BUGS } from './places.ts'
import { isFull } from './sample.ts'
import { seed } from './seed.ts'
import { startServerProcess } from './server-process.ts'

const TIMES = isFull ? 1000 : 300
const AT_ONCE = 4

const database = await createTestDatabase()
const context = await createContext(testConfig({ WAYPOST_DATABASE_URL: database.ownerUrl }))
const environment = { WAYPOST_DATABASE_URL: database.appUrl, WAYPOST_LOG_LEVEL: 'error' }
const [writes, reads] = await Promise.all([startServerProcess(environment), startServerProcess(environment)])
beforeAll(() => seed(context.db))
afterAll(async () => {
  await Promise.all([writes.stop(), reads.stop()])
  await context.db.destroy()
})

/** Searches that must find a write as soon as it is acknowledged: by an index of numbers, of words, and by a fact. */
const SEARCHES = [
  (points: number) => `points = ${points}`,
  (_: number, word: string) => `summary = "${word}"`,
  (points: number, word: string) => `points = ${points} AND summary = "${word}" ORDER BY @last_update_date DESC`,
]

test('a search right after an acknowledged write sees it, before another server process', {
  timeout: 120_000,
}, async () => {
  const missed: string[] = []
  let next = 0
  const work = async () => {
    const body = { tracker: { id: BUGS }, values_by_field: { summary: 'Mine' } }
    const { id } = (await writes.api.post('/artifacts', { as: MARA, body })).json
    for (let turn = next++; turn < TIMES; turn = next++) {
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
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  expect(missed).toEqual([])
})
