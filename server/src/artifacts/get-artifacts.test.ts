import { beforeAll, expect, test } from 'vitest'
import { HIDDEN, type MadeTracker, makeArtifact, makeTracker } from '../../test/every-field.ts'
import { startWorld } from '../../test/harness.ts'
import { TREES } from '../../test/linked-trackers.ts'
import { MARA, TOM } from '../../test/people.ts'
import { refused } from '../../test/refused.ts'

const { api } = await startWorld({ seedOnce: true })
const ask = (query: unknown, more = '') =>
  api.get(`/artifacts?query=${encodeURIComponent(JSON.stringify(query))}${more}`, { as: TOM })
const idsIn = ({ json }: { json: { collection: { id: number }[] } }) => json.collection.map(({ id }) => id)

let trees: MadeTracker
let ids: number[]
let hidden: number
beforeAll(async () => {
  trees = await makeTracker(api, TREES)
  hidden = await makeArtifact(api, await makeTracker(api, HIDDEN), { summary: 'Hush' })
  ids = []
  for (const summary of ['Oak', 'Elm', 'Ash']) ids.push(await makeArtifact(api, trees, { summary }))
})

test('GET /artifacts shows those that were asked for, in that order, in both forms', async () => {
  const answer = await ask({ id: ids.toReversed() })

  expect(idsIn(answer)).toEqual(ids.toReversed())
  expect(answer.headers['x-pagination-size']).toBe('3')
  expect(answer.json.collection[0]).toMatchObject({
    title: 'Ash',
    values: [{ value: 'Ash' }, {}],
    values_by_field: { summary: { value: 'Ash' } },
  })
})

test('what is absent or hidden is left out, and not counted', async () => {
  const answer = await ask({ id: [hidden, 999_999, -1, 0, ...ids] })

  expect(idsIn(answer)).toEqual(ids)
  expect(answer.headers['x-pagination-size']).toBe('3')
  const all = { query: { id: [hidden] } }
  expect(
    (await api.get(`/artifacts?query=${encodeURIComponent(JSON.stringify(all.query))}`, { as: MARA })).headers,
  ).toMatchObject({ 'x-pagination-size': '1' })
})

test('it comes in pages, by offset and by link', async () => {
  const first = await ask({ id: ids }, '&limit=2')
  const next = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? ''

  expect(idsIn(first)).toEqual(ids.slice(0, 2))
  expect(idsIn(await ask({ id: ids }, '&limit=2&offset=2'))).toEqual(ids.slice(2))
  expect(idsIn(await api.get(next, { as: TOM }))).toEqual(ids.slice(2))
})

test('more than a hundred are refused with the odd status that clients know', async () => {
  const many = Array.from({ length: 101 }, (_, at) => at + 1)

  expect(await ask({ id: many })).toMatchObject(refused(403, 'parameter_out_of_range', { cause: 'too_many_ids' }))
  expect((await ask({ id: many.slice(1) })).status).toBe(200)
})

test.each([{ id: [1, 1] }, { id: ['1'] }, { id: [1.5] }, { id: 1 }, { id: [] }, {}, [1]])(
  'the query %j is malformed',
  async (query) => {
    expect(await ask(query)).toMatchObject(refused(400, 'query_malformed'))
  },
)

test('a query must be there', async () => {
  expect(await api.get('/artifacts')).toMatchObject(refused(400, 'parameter_required', { path: 'query' }))
})
