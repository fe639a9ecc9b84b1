import { beforeAll, expect, test } from 'vitest'
import type { RequestOptions, Response } from '../../../test/harness/client.ts'
import type { AnyJson } from '../../../test/harness/expected-counts.ts'
import { EVERY_FIELD, makeTestArtifact, type MadeTracker, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, TOM, UMA } from '../../../test/fixtures/people.ts'

const { api, clock, context } = await startWorld({ seedOnce: true })

const FOR_ADMINS = { permissions: { read: ['@admins'], submit: ['@admins'], update: ['@admins'] } }
let tracker: MadeTracker
beforeAll(async () => {
  await context.db.updateTable('account').set({ time_zone: 'Europe/Vienna' }).where('id', '=', UMA.id).execute()
  clock.set('2026-01-30T23:30:00Z')
  const grade = { name: 'grade', type: 'rb', label: 'Grade', bind: { type: 'static', values: [{ label: 'A' }] } }
  tracker = await makeTestTracker(api, {
    ...EVERY_FIELD,
    elements: [...EVERY_FIELD.elements, { ...grade, ...FOR_ADMINS }],
  })
  const one = await makeTestArtifact(api, tracker, { summary: 'One', status: 'Open', points: 2 })
  const lost = await makeTestArtifact(api, tracker, { summary: 'Lost', status: 'Open', points: 50 })
  clock.set('2026-02-01T12:00:00Z')
  await makeTestArtifact(api, tracker, {
    summary: 'Two',
    status: 'Open',
    points: 3,
    fruits: { value: ['Apple', 'Plum'] },
  })
  const change = (values_by_field: object) => api.put(`/artifacts/${one}`, { as: MARA, body: { values_by_field } })
  clock.set('2026-02-02T12:00:00Z')
  await change({ status: { value: 'Working' }, points: { value: '' } })
  await change({ status: { value: 'Closed' } })
  await api.delete(`/artifacts/${lost}`, { as: MARA })
  clock.set('2026-02-04T12:00:00Z')
})

const ask = (query: string, options: RequestOptions = { as: TOM }): Promise<Response> =>
  api.get(`/trackers/${tracker.id}/artifacts/groups?${query}`, options)

/** For each step, its day and its groups. */
async function course(query: string, options?: RequestOptions): Promise<string[]> {
  const { json } = await ask(query, options)
  return json.series.map(({ at, total, groups }: AnyJson) => {
    const shownGroups = groups.map(({ key, count, sum }: AnyJson) =>
      [...key.map(named), count, ...Object.values(sum).map(String)].join(' '),
    )
    return [`${at.slice(5, 16)}: ${total}`, ...shownGroups].join(', ')
  })
}
const named = (key: AnyJson) => String(key?.label ?? key?.username ?? key)

test('each step reports the state at its end: values of that time, without artifacts deleted by now', async () => {
  expect(await course('by=status&sum=points&over=day&from=2026-01-29&to=2026-02-03')).toEqual([
    '01-29T23:59: 0',
    '01-30T23:59: 1, Open 1 2',
    '01-31T23:59: 1, Open 1 2',
    '02-01T23:59: 2, Open 2 5',
    '02-02T23:59: 2, Open 1 3, Closed 1 null',
    '02-03T23:59: 2, Open 1 3, Closed 1 null',
  ])
})

test("steps are whole units in the caller's calendar, and none starts in the future", async () => {
  expect(await course('by=is_open&over=week&from=2026-01-28')).toEqual([
    '02-01T23:59: 2, true 2',
    '02-08T23:59: 2, true 1, false 1',
  ])
  expect(await course('by=is_open&over=month&from=2026-01-31&to=2027-01-01')).toEqual([
    '01-31T23:59: 1, true 1',
    '02-28T23:59: 2, true 1, false 1',
  ])
  expect(await course('by=is_open&over=day&from=2026-01-30&to=2026-01-31', { as: UMA })).toEqual([
    '01-30T22:59: 0',
    '01-31T22:59: 1, true 1',
  ])
  expect(await course('by=is_open&over=day&from=2026-02-05')).toEqual([])
  expect(await course('by=is_open&over=day&from=2026-02-01&to=2026-02-01')).toHaveLength(1)
})

test('a filter applies to the values of that time', async () => {
  const query = encodeURIComponent('status = "Open"')
  expect(await course(`by=status&over=day&from=2026-01-31&to=2026-02-02&expert_query=${query}`)).toEqual([
    '01-31T23:59: 1, Open 1',
    '02-01T23:59: 2, Open 2',
    '02-02T23:59: 1, Open 1',
  ])
})

test('multiple values, empty groups and the largest first work as without steps', async () => {
  const query = 'by=fruits&over=day&from=2026-01-31&to=2026-02-01'
  expect(await course(query)).toEqual(['01-31T23:59: 1, null 1', '02-01T23:59: 2, Apple 1, Plum 1, null 1'])
  expect(await course(`${query}&order=count`)).toEqual([
    '01-31T23:59: 1, null 1',
    '02-01T23:59: 2, null 1, Apple 1, Plum 1',
  ])
  expect(await course(`${query}&empty=true`)).toEqual([
    '01-31T23:59: 1, Apple 0, Pear 0, Plum 0, null 1',
    '02-01T23:59: 2, Apple 1, Pear 0, Plum 1, null 1',
  ])
})

test('pages consist of groups, whatever the number of steps', async () => {
  const query = 'by=fruits&over=day&from=2026-01-31&to=2026-02-01'
  const first = await ask(`${query}&limit=2`)
  expect(first.headers['x-pagination-size']).toBe('3')
  const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
  const second = await api.get(next, { as: TOM })
  const whole = (await ask(query)).json.series
  for (const [at, { groups }] of whole.entries())
    expect([...first.json.series[at].groups, ...second.json.series[at].groups]).toEqual(groups)
})

test('the result is the same in XML', async () => {
  const query = 'by=is_open&over=day&from=2026-01-31&to=2026-01-31'
  const { text } = await ask(query, { as: TOM, headers: { accept: 'application/xml' } })
  expect(text).toContain(
    '<series><item><at>2026-01-31T23:59:59+00:00</at><total>1</total><groups><item><key><item>true</item></key>',
  )
})

test('current permissions apply', async () => {
  const query = 'by=grade&over=day&from=2026-01-31'
  expect((await ask(query)).json.error.reason).toBe('query_unknown_key')
  expect((await ask(query, { as: MARA })).status).toBe(200)
})
