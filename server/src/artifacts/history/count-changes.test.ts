import { beforeAll, expect, test } from 'vitest'
import type { RequestOptions } from '../../../test/harness/client.ts'
import { EVERY_FIELD, makeTestArtifact, type MadeTracker, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { MARA, TOM } from '../../../test/fixtures/people.ts'
import { refused } from '../../../test/harness/refused.ts'
import { startWorld } from '../../../test/harness/start-world.ts'

const { api, clock } = await startWorld({ seedOnce: true })

const FOR_ADMINS = { permissions: { read: ['@admins'], submit: ['@admins'], update: ['@admins'] } }
let tracker: MadeTracker
let first: number
const write = (body: object) => api.put(`/artifacts/${first}`, { as: MARA, body })
beforeAll(async () => {
  clock.set('2026-03-01T10:00:00Z')
  const grade = { name: 'grade', type: 'int', label: 'Grade', ...FOR_ADMINS }
  tracker = await makeTestTracker(api, { ...EVERY_FIELD, elements: [...EVERY_FIELD.elements, grade] })
  first = await makeTestArtifact(api, tracker, { summary: 'One', points: 1 })
  const lost = await makeTestArtifact(api, tracker, { summary: 'Lost', points: 5 })
  clock.set('2026-03-02T10:00:00.250Z')
  await write({ values_by_field: { points: 2 } })
  clock.set('2026-03-03T10:00:00Z')
  await write({ values_by_field: { grade: 7 } })
  clock.set('2026-03-04T10:00:00Z')
  await write({ values: [], comment: { body: 'Only a comment.', format: 'text' } })
  clock.set('2026-03-05T10:00:00Z')
  await makeTestArtifact(api, tracker, { summary: 'Two' })
  await api.delete(`/artifacts/${lost}`, { as: MARA })
  clock.set('2026-03-06T10:00:00Z')
})

const ask = (query = '', options: RequestOptions = { as: TOM }) =>
  api.get(`/trackers/${tracker.id}/changes?${query}`, options)

test('changes of readable values are counted in equal steps from the first change to now', async () => {
  const { status, json } = await ask('steps=5')
  expect(status).toBe(200)
  expect(json).toEqual({
    from: '2026-03-01T10:00:00+00:00',
    to: '2026-03-06T10:00:00+00:00',
    total: 3,
    first: '2026-03-01T10:00:00+00:00',
    last: '2026-03-05T10:00:00+00:00',
    steps: [1, 1, 0, 0, 1],
  })
})

test('a change of a field that the caller may not read is not counted, and neither are comments', async () => {
  expect((await ask('steps=5', { as: MARA })).json.steps).toEqual([1, 1, 1, 0, 1])
  expect((await ask('from=2026-03-03&to=2026-03-04T23:00:00Z')).json).toMatchObject({
    total: 0,
    first: null,
    last: null,
  })
})

test('the state as of a counted moment includes the change, and the next one is after it', async () => {
  const { json } = await ask('from=2026-03-01T10:00:01Z')
  expect(json.first).toBe('2026-03-02T10:00:01+00:00')
  const query = new URLSearchParams({
    expert_query: `points = 2 AS OF "${json.first}"`,
    values_as_of: 'true',
  })
  const { json: rows } = await api.get(`/trackers/${tracker.id}/artifacts?${query.toString()}`, { as: TOM })
  expect(rows).toMatchObject([{ id: first }])
  expect((await ask('from=2026-03-02T10:00:02Z')).json.first).toBe('2026-03-05T10:00:00+00:00')
  expect((await ask('to=2026-03-02T10:00:00Z')).json.last).toBe('2026-03-01T10:00:00+00:00')
})

test('a time without length or without changes has steps too', async () => {
  expect((await ask('from=2026-03-01T10:00:00Z&to=2026-03-01T10:00:00Z&steps=3')).json.steps).toEqual([1, 0, 0])
  expect((await ask('to=2025-01-01&steps=2')).json).toEqual({
    from: null,
    to: '2025-01-01T00:00:00+00:00',
    total: 0,
    first: null,
    last: null,
    steps: [0, 0],
  })
})

test('an end before the start, and too many steps are refused', async () => {
  expect(await ask('from=2026-03-03&to=2026-03-02')).toMatchObject(refused(400, 'parameter_conflict'))
  expect((await ask('steps=401')).status).toBe(400)
  expect((await ask('from=yesterday')).status).toBe(400)
})
