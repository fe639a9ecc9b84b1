import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { MARA, TOM } from '../../test/fixtures/people.ts'
import { BUGS } from '../../test/fixtures/seed-ids.ts'
import { startWorld } from '../../test/harness/start-world.ts'

const { api, context } = await startWorld()

beforeEach(async () => {
  for (const summary of ['Pump leaks', 'Gate squeaks', 'Roof']) {
    const body = { tracker: { id: BUGS }, values_by_field: { summary: { value: summary } } }
    await api.post('/artifacts', { as: MARA, body })
  }
})

const list = (search: string) => api.get(`/trackers/${BUGS}/artifacts?${search}`, { as: TOM })
const linksOf = (link: unknown) =>
  new Map(Array.from(String(link).matchAll(/<([^>]+)>; rel="(\w+)"/g), ([, address = '', rel = '']) => [rel, address]))

/** Counting waits for this lock; reading rows does not. */
async function blockCounting(): Promise<() => Promise<void>> {
  const tx = await context.db.startTransaction().execute()
  let isOver = false
  const end = async () => {
    if (!isOver) await tx.commit().execute()
    isOver = true
  }
  onTestFinished(end)
  await sql`lock table tracker_total in access exclusive mode`.execute(tx)
  return end
}

test('a list that is counted quickly has its size, also if it may come later', async () => {
  const [usual, later] = [await list('limit=2'), await list('limit=2&size=later')]
  expect(later.headers['x-pagination-size']).toBe(usual.headers['x-pagination-size'])
  expect(later.json).toEqual(usual.json)
  expect(linksOf(later.headers.link).has('size')).toBe(false)
})

test('a list that takes long to count answers with its page, and a link to the size', async () => {
  const usual = await list('limit=2&order=desc')
  const unblock = await blockCounting()
  const later = await list('limit=2&order=desc&size=later')
  expect(later.status).toBe(200)
  expect(later.json).toEqual(usual.json)
  expect(later.headers).not.toHaveProperty('x-pagination-size')
  const links = linksOf(later.headers.link)
  expect([...links.keys()]).toEqual(['first', 'next', 'size'])

  const next = await api.get(links.get('next') ?? '', { as: TOM })
  expect(next.headers).not.toHaveProperty('x-pagination-size')
  await unblock()
  const counted = await api.get(links.get('size') ?? '', { as: TOM })
  expect(counted).toMatchObject({
    status: 200,
    json: [],
    headers: { 'x-pagination-size': usual.headers['x-pagination-size'] },
  })
})
