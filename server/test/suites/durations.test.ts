import { beforeAll, expect, test } from 'vitest'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../fixtures/every-field.ts'
import { MARA, TOM } from '../fixtures/people.ts'
import { ORCHARD } from '../fixtures/seed-ids.ts'
import { refused } from '../harness/refused.ts'
import { drainWorker } from '../harness/run-jobs.ts'
import { startWorld } from '../harness/start-world.ts'
import { startMailPeer } from '../peers/mail-peer.ts'

const peer = await startMailPeer()
const { api, clock, context } = await startWorld({ seedOnce: true, environment: { WAYPOST_SMTP_URL: peer.url } })
const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const sprint = (duration: string) => ({
  format: 'waypost-tracker/1',
  label: 'Sprints',
  item_name: 'sprint',
  permissions: { full: ['@anonymous'] },
  elements: [
    field('start', 'date'),
    field('days', 'int'),
    field('time', 'duration'),
    field('remaining_effort', 'computed', { properties: { target_field_name: 'left' } }),
    field('burndown', 'burndown'),
    field('links', 'art_link'),
  ],
  semantics: { timeframe: { start: 'start', duration } },
})

let chores: MadeTracker
let ids: number[]
beforeAll(async () => {
  clock.set('2026-03-02T09:00:00Z')
  chores = await makeTestTracker(api, {
    format: 'waypost-tracker/1',
    label: 'Chores',
    item_name: 'chore',
    permissions: { full: ['@anonymous'] },
    elements: [
      field('summary', 'string'),
      field('left', 'duration'),
      field('status', 'sb', { bind: { type: 'static', values: [{ label: 'Open' }, { label: 'Closed' }] } }),
    ],
    semantics: { title: 'summary', status: { field: 'status', open: ['open'] }, initial_effort: 'left' },
    workflow: {
      field: 'status',
      used: true,
      mode: 'simple',
      states: [
        { to: 'open', from: ['@new'] },
        { to: 'closed', from: ['open'], actions: [{ type: 'set_field_value', field: 'left', value: 0 }] },
      ],
    },
  })
  ids = []
  for (const values of [{ left: '2h 30m' }, { left: 45 }, { left: '10h' }, {}])
    ids.push(await makeTestArtifact(api, chores, { summary: 'A chore', status: 'Open', ...values }))
})

const find = async (parameters: Record<string, string>): Promise<number[]> => {
  const query = new URLSearchParams(parameters).toString()
  const { json } = await api.get(`/trackers/${chores.id}/artifacts?${query}`, { as: TOM })
  return json.map(({ id }: { id: number }) => ids.indexOf(id))
}

test.each([
  ['left = "2h 30m"', [0]],
  ['left = 150', [0]],
  ['left > "1h" ORDER BY left', [0, 2]],
  ['left < "1h"', [1]],
  ['left BETWEEN("45m", "2h 30m") ORDER BY left DESC', [0, 1]],
  ['left = ""', [3]],
  ['left != "" ORDER BY left', [1, 0, 2]],
  ['@id > 0 ORDER BY left DESC', [2, 0, 1, 3]],
])('the query language finds by length and sorts by it: %s', async (expert_query, found) => {
  expect(await find({ expert_query })).toEqual(found)
})

test('criteria find by length', async () => {
  expect(await find({ query: JSON.stringify({ left: '1h-10h' }) })).toEqual([0, 2])
})

test('a query with another text is refused', async () => {
  const answer = await api.get(`/trackers/${chores.id}/artifacts?expert_query=${encodeURIComponent('left > "long"')}`, {
    as: TOM,
  })
  expect(answer).toMatchObject(refused(400, 'value_invalid', { cause: 'duration', position: 7 }))
  expect(answer.json.error.message).toContain('"long" is no duration such as 2h 30m')
})

test('groups add up minutes', async () => {
  const { json } = await api.get(`/trackers/${chores.id}/artifacts/groups?by=status&sum=left`, { as: TOM })
  expect(json.groups).toMatchObject([{ count: 4, sum: { left: 150 + 45 + 600 } }])
})

test('tables over several trackers show minutes', async () => {
  const query =
    "SELECT left FROM @project.name = 'orchard' AND @tracker.name = 'chore' WHERE left > 60 ORDER BY left ASC"
  const { json } = await api.get(
    `/crosstracker_query/content?query=${encodeURIComponent(JSON.stringify({ tql_query: query }))}`,
    { as: TOM },
  )
  expect(json.selected).toContainEqual({ name: 'left', type: 'numeric' })
  expect(json.artifacts.map(({ left }: { left: unknown }) => left)).toEqual([{ value: 150 }, { value: 600 }])
})

test('a computed field and a burndown add up minutes', async () => {
  const sprints = await makeTestTracker(api, sprint('days'))
  const links = { links: ids.map((id) => ({ id, type: '_is_child' })) }
  const id = await makeTestArtifact(api, sprints, { start: '2026-03-02', days: 5, links })
  const { json } = await api.get(`/artifacts/${id}`, { as: TOM })
  const shown = (type: string) => json.values.find((each: { type: string }) => each.type === type)?.value
  expect(shown('computed')).toBe(795)
  expect(shown('burndown')).toMatchObject({ duration: 5, points: [795] })
})

test('a duration is no number of days, so it cannot be the length of a time frame', async () => {
  const answer = await api.post(`/projects/${ORCHARD}/trackers`, {
    as: MARA,
    body: { ...sprint('time'), item_name: 'plan' },
  })
  expect(answer.status).toBe(400)
  expect(answer.json.error.details.all).toMatchObject([
    { path: '/semantics/timeframe/duration', allowed: ['days', 'remaining_effort'] },
  ])
})

test('a change is mailed as people write it, and a step of the workflow can set it', async () => {
  const id = await makeTestArtifact(api, chores, { summary: 'To do', status: 'Open', left: '1h' })
  await api.put(`/artifacts/${id}/watch`, { as: TOM, body: { level: 'all' } })
  await drainWorker(context)
  peer.mails.length = 0
  const change = (values_by_field: object) => api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field } })

  await change({ left: '2h 30m' })
  await drainWorker(context)
  expect(peer.mails.map(({ text }) => text)).toEqual([expect.stringContaining('left: 1h → 2h 30m\n')])

  expect(await change({ status: 'Closed' })).toMatchObject({ status: 200 })
  const { json } = await api.get(`/artifacts/${id}`, { as: TOM })
  expect(json.values).toContainEqual(expect.objectContaining({ type: 'duration', value: '0m', minutes: 0 }))
})
