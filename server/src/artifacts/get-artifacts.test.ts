import { beforeAll, expect, test } from 'vitest'
import { HIDDEN_TRACKER, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../test/fixtures/every-field.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { TREES } from '../../test/fixtures/linked-trackers.ts'
import { MARA, TOM } from '../../test/fixtures/people.ts'
import { refused } from '../../test/harness/refused.ts'

const { api } = await startWorld({ seedOnce: true })
const ask = (query: unknown, more = '') =>
  api.get(`/artifacts?query=${encodeURIComponent(JSON.stringify(query))}${more}`, { as: TOM })
const idsIn = ({ json }: { json: { collection: { id: number }[] } }) => json.collection.map(({ id }) => id)

let trees: MadeTracker
let ids: number[]
let hidden: number
beforeAll(async () => {
  trees = await makeTestTracker(api, TREES)
  hidden = await makeTestArtifact(api, await makeTestTracker(api, HIDDEN_TRACKER), { summary: 'Hush' })
  ids = []
  for (const summary of ['Oak', 'Elm', 'Ash']) ids.push(await makeTestArtifact(api, trees, { summary }))
})

test('GET /artifacts returns the requested artifacts in order, in both forms', async () => {
  const answer = await ask({ id: ids.toReversed() })

  expect(idsIn(answer)).toEqual(ids.toReversed())
  expect(answer.headers['x-pagination-size']).toBe('3')
  expect(answer.json.collection[0]).toMatchObject({
    title: 'Ash',
    values: [{ value: 'Ash' }, {}],
    values_by_field: { summary: { value: 'Ash' } },
  })
})

test('missing and hidden artifacts are omitted and not counted', async () => {
  const answer = await ask({ id: [hidden, 999_999, -1, 0, ...ids] })

  expect(idsIn(answer)).toEqual(ids)
  expect(answer.headers['x-pagination-size']).toBe('3')
  const all = { query: { id: [hidden] } }
  expect(
    (await api.get(`/artifacts?query=${encodeURIComponent(JSON.stringify(all.query))}`, { as: MARA })).headers,
  ).toMatchObject({ 'x-pagination-size': '1' })
})

test('the result is paged, by offset and by link', async () => {
  const first = await ask({ id: ids }, '&limit=2')
  const next = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? ''

  expect(idsIn(first)).toEqual(ids.slice(0, 2))
  expect(idsIn(await ask({ id: ids }, '&limit=2&offset=2'))).toEqual(ids.slice(2))
  expect(idsIn(await api.get(next, { as: TOM }))).toEqual(ids.slice(2))
})

test('more than a hundred ids are refused with 403, as clients expect', async () => {
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

test('a query is required', async () => {
  expect(await api.get('/artifacts')).toMatchObject(refused(400, 'parameter_required', { path: 'query' }))
})
