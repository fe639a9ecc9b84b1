import { beforeAll, expect, test } from 'vitest'
import type { Response } from '../../../test/harness/client.ts'
import { EVERY_FIELD, makeTestArtifact, type MadeTracker, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, OLGA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { BUGS, LEDGER } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'
import { runSearch } from '../search/run-search.ts'
import { sql } from 'kysely'

const { api, context } = await startWorld({ seedOnce: true })

const FOR_ADMINS = { permissions: { read: ['@admins'], submit: ['@admins'], update: ['@admins'] } }
const GRADES = { type: 'static', values: [{ label: 'A' }, { label: 'B' }] }

let tracker: MadeTracker
beforeAll(async () => {
  tracker = await makeTestTracker(api, {
    ...EVERY_FIELD,
    elements: [
      ...EVERY_FIELD.elements,
      { name: 'cost', type: 'int', label: 'Cost', ...FOR_ADMINS },
      { name: 'grade', type: 'sb', label: 'Grade', bind: GRADES, ...FOR_ADMINS },
    ],
  })
  await makeTestArtifact(api, tracker, { summary: 'One', grade: 'B' })
})

const ask = (query: string, as: TestPerson = TOM): Promise<Response> =>
  api.get(`/trackers/${tracker.id}/artifacts/groups?${query}`, { as })

test.each([
  ['nothing to count by', '', 'parameter_required', { path: 'by' }],
  ['an empty list of it', 'by=,', 'parameter_required', { path: 'by' }],
  ['more than two keys', 'by=status,team,tags', 'parameter_out_of_range', { path: 'by', allowed: { maximum: 2 } }],
  ['more than three sums', 'by=team&sum=points,effort,points,effort', 'parameter_out_of_range', { path: 'sum' }],
  [
    'an unknown field',
    'by=statis',
    'query_unknown_key',
    { path: 'by', cause: 'field', params: { did_you_mean: 'status' } },
  ],
  ['a field that may not be read', 'by=grade', 'query_unknown_key', { path: 'by', cause: 'field' }],
  ['a sum that may not be read', 'by=team&sum=cost', 'query_unknown_key', { path: 'sum', cause: 'field' }],
  ['an unknown name', 'by=@weather', 'query_unknown_key', { path: 'by', cause: 'metadata' }],
  ['a text', 'by=summary', 'query_operator', { path: 'by', cause: 'field_type' }],
  ['a number', 'by=points', 'query_operator', { path: 'by', cause: 'field_type' }],
  ['the title', 'by=@title', 'query_operator', { path: 'by', cause: 'field_type' }],
  ['a computed sum', 'by=team&sum=remaining', 'query_operator', { path: 'sum', cause: 'field_type' }],
  ['a sum of a list', 'by=team&sum=status', 'query_operator', { path: 'sum', cause: 'field_type' }],
  [
    'a date without a bucket',
    'by=due',
    'query_operator',
    { cause: 'bucket', allowed: ['day', 'week', 'month', 'quarter', 'year'] },
  ],
  ['an unknown bucket', 'by=due:decade', 'query_operator', { cause: 'bucket' }],
  ['a bucket of a list', 'by=status:day', 'query_operator', { cause: 'bucket', allowed: [] }],
  ['another order', 'by=status&order=desc', 'parameter_not_allowed', { path: 'order' }],
  ['another step', 'by=status&over=year&from=2026-01-01', 'parameter_not_allowed', { path: 'over' }],
  ['a course without its beginning', 'by=status&over=day', 'parameter_required', { path: 'from' }],
  ['a beginning without a course', 'by=status&from=2026-01-01', 'parameter_required', { path: 'over' }],
  ['a beginning that is no date', 'by=status&over=day&from=soon', 'parameter_invalid', { path: 'from' }],
  [
    'an end before the beginning',
    'by=status&over=day&from=2026-02-02&to=2026-02-01',
    'parameter_conflict',
    { cause: 'from_after_to' },
  ],
  [
    'a course of over 400 steps',
    'by=status&over=day&from=2025-01-25',
    'parameter_out_of_range',
    { cause: 'too_many_steps', allowed: { maximum: 400 } },
  ],
  [
    'a course of one moment',
    'by=status&over=day&from=2026-02-01&expert_query=team="leads" AS OF "2026-02-01"',
    'parameter_conflict',
    { cause: 'over_and_as_of' },
  ],
])('%s is refused', async (_, query, reason, details) => {
  expect(await ask(encodeURI(query))).toMatchObject(refused(400, reason, details))
})

test('all problems are reported at once', async () => {
  const { json } = await ask('by=nothing,summary&sum=budget,status')
  expect(json.error.details.all).toMatchObject([
    { reason: 'query_unknown_key', path: 'by', params: { name: 'nothing' } },
    { reason: 'query_operator', path: 'by', name: 'summary' },
    { reason: 'query_unknown_key', path: 'sum', params: { name: 'budget' } },
    { reason: 'query_operator', path: 'sum', name: 'status' },
  ])
})

test('an invisible tracker is answered like a missing one', async () => {
  for (const id of [LEDGER, 999_999])
    expect(await api.get(`/trackers/${id}/artifacts/groups?by=is_open`, { as: TOM })).toMatchObject(
      refused(404, 'not_found'),
    )
  expect((await api.get(`/trackers/${BUGS}/artifacts/groups?by=is_open`, { as: OLGA })).status).toBe(200)
})

test('an unreadable field is refused in the same words as a missing one', async () => {
  const [hidden, absent] = [await ask('by=grade'), await ask('by=grabe')]
  const words = ({ text }: Response) => text.replaceAll(/"request_id":"[^"]*"/g, '').replaceAll(/gra[db]e/g, '')
  expect(words(hidden)).toBe(words(absent))
  expect((await ask('by=grade', MARA)).json.groups).toMatchObject([{ key: [{ label: 'B' }], count: 1 }])
})

test('a query that exceeds its time budget is refused', async () => {
  for (const cause of ['groups', 'as_of'] as const) {
    const slow = runSearch(context.db, sql`select pg_sleep(5)`, { cause, milliseconds: 20 })
    await expect(slow).rejects.toMatchObject({ reason: 'query_too_expensive', details: { cause } })
  }
})

test('is_open is refused to callers who may not read the status', async () => {
  const elements = EVERY_FIELD.elements.map((each) => (each.name === 'status' ? { ...each, ...FOR_ADMINS } : each))
  const { id } = await makeTestTracker(api, { ...EVERY_FIELD, label: 'Closed', item_name: 'closed', elements })
  const by = (key: string, as: TestPerson) => api.get(`/trackers/${id}/artifacts/groups?by=${key}`, { as })
  expect((await by('is_open', MARA)).status).toBe(200)
  for (const key of ['is_open', '@status', 'status'])
    expect(await by(key, TOM)).toMatchObject(refused(400, 'query_unknown_key', { path: 'by' }))
})
