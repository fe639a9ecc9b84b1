import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'

const { api, clock } = await startWorld({ seedOnce: true })
const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) })
const hidden = { read: ['@admins'], submit: ['@admins'], update: ['@admins'] }

let sprints: MadeTracker
let tasks: MadeTracker
beforeAll(async () => {
  tasks = await makeTestTracker(api, {
    label: 'Tasks',
    item_name: 'task',
    permissions: { full: ['@anonymous'] },
    elements: [
      field('summary', 'string'),
      field('left', 'float'),
      field('effort', 'int'),
      field('status', 'sb', { bind: list('Open', 'Dropped', 'Done') }),
    ],
    semantics: { status: { field: 'status', open: ['open'] }, initial_effort: 'effort', done: ['done'] },
  })
  sprints = await makeTestTracker(api, {
    label: 'Sprints',
    item_name: 'sprint',
    permissions: { full: ['@anonymous'] },
    elements: [
      field('start', 'date'),
      field('days', 'int'),
      field('capacity', 'int'),
      field('remaining_effort', 'computed', { properties: { target_field_name: 'left' } }),
      field('burndown', 'burndown', { properties: { use_capacity: true } }),
      field('burnup', 'burnup'),
      field('links', 'art_link'),
    ],
    semantics: { timeframe: { start: 'start', duration: 'days' } },
  })
})
beforeEach(() => clock.set('2026-03-02T09:00:00Z')) // a Monday

const at = async <T>(time: string, work: () => Promise<T>): Promise<T> => {
  clock.set(time)
  return work()
}
const change = (id: number, values_by_field: object) =>
  api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field } })
const sprint = (values: object, children: number[] = []) =>
  makeTestArtifact(api, sprints, { ...values, links: { links: children.map((id) => ({ id, type: '_is_child' })) } })

// oxlint-disable-next-line typescript/no-explicit-any -- charts have many shapes
async function chart(id: number, type: string, as: TestPerson = TOM): Promise<any> {
  const { json } = await api.get(`/artifacts/${id}`, { as })
  return json.values.find((each: { type: string }) => each.type === type)?.value
}
const days = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-09']
const date = (day: string | undefined) => `${day}T00:00:00+00:00`

describe('a burndown', () => {
  test('has the remaining effort of each working day up to now', async () => {
    const [one, other] = [
      await makeTestArtifact(api, tasks, { summary: 'One', left: 5 }),
      await makeTestArtifact(api, tasks, { summary: 'Other', left: 3 }),
    ]
    const id = await sprint({ start: '2026-03-02', days: 5, capacity: 40 }, [one, other])
    await at('2026-03-03T10:00:00Z', () => change(one, { left: 2 }))
    await at('2026-03-07T10:00:00Z', () => change(other, { left: 0.5 })) // a Saturday
    clock.set('2026-03-12T10:00:00Z')
    const remaining = [8, 5, 5, 5, 5, 2.5]

    expect(await chart(id, 'burndown')).toEqual({
      start_date: date(days[0]),
      duration: 5,
      capacity: 40,
      points: remaining,
      is_under_calculation: false,
      opening_days: [1, 2, 3, 4, 5],
      points_with_date: remaining.map((remaining_effort, index) => ({ date: date(days[index]), remaining_effort })),
    })
    clock.set('2026-03-03T12:00:00Z')
    expect((await chart(id, 'burndown')).points).toEqual([8, 5])
  })

  test('uses a manual value while it was set, and has days before the first value', async () => {
    clock.set('2026-03-04T08:00:00Z')
    const task = await makeTestArtifact(api, tasks, { summary: 'One', left: 5 })
    const id = await sprint({ start: '2026-03-02', days: 4 }, [task])
    await at('2026-03-05T08:00:00Z', () => change(id, { remaining_effort: { manual_value: 9 } }))
    await at('2026-03-06T08:00:00Z', () => change(id, { remaining_effort: { is_autocomputed: true } }))
    clock.set('2026-03-06T12:00:00Z')

    expect((await chart(id, 'burndown')).points).toEqual([null, null, 5, 9, 5])
  })

  test('is omitted without a start or a duration', async () => {
    for (const values of [{}, { days: 5 }, { start: '2026-03-02' }, { start: '2026-03-02', days: 0 }]) {
      const id = await sprint(values)
      expect(await chart(id, 'burndown')).toBeUndefined()
      expect(await chart(id, 'burnup')).toBeUndefined()
    }
  })

  test('has no points before its start, and a limited number of them', async () => {
    expect((await chart(await sprint({ start: '2026-04-01', days: 5 }), 'burndown')).points).toEqual([])
    const long = await chart(await sprint({ start: '0001-01-01', days: 9_007_199_254_740_991 }), 'burndown')
    expect(long.points.length).toBe(1001)
  })

  test('derives its timeframe from an end date or from another artifact, and counts weekends if configured', async () => {
    const seasons = await makeTestTracker(api, {
      label: 'Seasons',
      item_name: 'season',
      permissions: { full: ['@anonymous'] },
      elements: [
        field('start', 'date'),
        field('end', 'date'),
        field('remaining_effort', 'int'),
        field('burndown', 'burndown', { properties: { include_weekends: 1 } }),
        field('links', 'art_link'),
      ],
      semantics: { timeframe: { start: 'start', end: 'end' } },
    })
    const parts = await makeTestTracker(api, {
      label: 'Parts',
      item_name: 'part',
      permissions: { full: ['@anonymous'] },
      elements: [field('remaining_effort', 'int'), field('burndown', 'burndown'), field('links', 'art_link')],
      semantics: { timeframe: { implied_from: 'season' } },
    })
    const part = await makeTestArtifact(api, parts, { remaining_effort: 7 })
    const time = { start: '2026-03-06', end: '2026-03-09' } // Friday to Monday
    const season = await makeTestArtifact(api, seasons, { ...time, remaining_effort: 6, links: [part] })
    clock.set('2026-03-20T12:00:00Z')

    expect(await chart(season, 'burndown')).toMatchObject({
      duration: 3,
      points: [6, 6, 6, 6],
      opening_days: { length: 7 },
    })
    expect(await chart(part, 'burndown')).toMatchObject({ duration: 1, points: [7, 7] })
  })

  test('is computed for each viewer from readable values', async () => {
    const closed = await makeTestTracker(api, {
      label: 'Closed',
      item_name: 'closed',
      permissions: { full: ['@anonymous'] },
      elements: [field('left', 'float', { permissions: hidden })],
    })
    const children = [
      await makeTestArtifact(api, tasks, { summary: 'One', left: 5 }),
      await makeTestArtifact(api, closed, { left: 16 }),
    ]
    const id = await sprint({ start: '2026-03-02', days: 5 }, children)

    expect((await chart(id, 'burndown')).points).toEqual([5])
    expect((await chart(id, 'burndown', MARA)).points).toEqual([21])
  })
})

describe('a burnup', () => {
  test('has the completed and total effort and count of each day', async () => {
    const [one, other] = [
      await makeTestArtifact(api, tasks, { summary: 'One', effort: 5, status: 'Open' }),
      await makeTestArtifact(api, tasks, { summary: 'Other', effort: 3, status: 'Open' }),
    ]
    const id = await sprint({ start: '2026-03-02', days: 2 }, [one, other])
    await at('2026-03-03T10:00:00Z', () => change(one, { status: 'Done' }))
    await at('2026-03-04T10:00:00Z', () => change(other, { status: 'Dropped', effort: 4 }))

    expect(await chart(id, 'burnup')).toEqual({
      start_date: date(days[0]),
      duration: 2,
      capacity: null,
      is_under_calculation: false,
      opening_days: [1, 2, 3, 4, 5],
      points_with_date: [
        { date: date(days[0]), team_effort: 0, total_effort: 8 },
        { date: date(days[1]), team_effort: 5, total_effort: 8 },
        { date: date(days[2]), team_effort: 5, total_effort: 9 },
      ],
      points_with_date_count_elements: [
        { date: date(days[0]), closed_elements: 0, total_elements: 2 },
        { date: date(days[1]), closed_elements: 1, total_elements: 2 },
        { date: date(days[2]), closed_elements: 1, total_elements: 2 },
      ],
    })
  })
})
