import { describe, expect, test } from 'vitest'
import type { Group } from '@waypost/sdk/api'
import { burnDown, stacked, timeSeriesByGroup, workloadBars } from './time-series.ts'

const of = (key: Group['key'], count: number, points: number | null = null): Group => ({ key, count, sum: { points } })
const value = (label: string) => ({ id: 7, label })
const step = (at: string, ...groups: Group[]) => ({
  at,
  groups,
  total: groups.reduce((all, { count }) => all + count, 0),
})

describe('the time series of a tracker', () => {
  test('has a line per value, in the order and colours of the list, and zero where there is no count', () => {
    const series = [
      step('2026-02-01T23:59:59+01:00', of([value('Open')], 2)),
      step('2026-02-02T23:59:59+01:00', of([null], 1), of([value('Closed')], 3), of([value('Open')], 1)),
    ]

    expect(
      timeSeriesByGroup({ by: [], series }, [
        { label: 'Open', hue: 'green' },
        { label: 'Working' },
        { label: 'Closed' },
      ]),
    ).toEqual({
      days: ['2026-02-01', '2026-02-02'],
      lines: [
        { label: 'Open', hue: 'green', key: value('Open'), values: [2, 1] },
        { label: 'Closed', key: value('Closed'), values: [0, 3] },
        { label: 'None', key: null, values: [0, 1] },
      ],
    })
  })

  test('of the burndown counts artifacts, or adds up their points', () => {
    const series = [
      step('2026-02-01T23:59:59+00:00', of([true], 2, 8)),
      step('2026-02-02T23:59:59+00:00', of([true], 1, 3), of([false], 1, 5)),
    ]

    expect(burnDown({ by: [], series }, undefined).lines.map(({ values }) => values)).toEqual([
      [2, 1],
      [2, 2],
    ])
    expect(burnDown({ by: [], series }, 'points').lines.map(({ values }) => values)).toEqual([
      [8, 3],
      [8, 8],
    ])
  })
})

test('the workload lists the people with the most open artifacts first', () => {
  const person = (real_name: string) => ({
    id: 1,
    uri: '',
    user_url: '',
    real_name,
    display_name: '',
    username: '',
    ldap_id: '',
    avatar_url: '',
    is_anonymous: false,
    has_avatar: false,
  })
  const groups = [
    of([person('Tom'), true], 1),
    of([person('Tom'), false], 9),
    of([person('Uma'), true], 4),
    of([null, true], 2),
  ]

  expect(workloadBars({ by: [], total: 16, groups })).toEqual([
    { label: 'Uma', key: person('Uma'), open: 4, closed: 0 },
    { label: 'Nobody', key: null, open: 2, closed: 0 },
    { label: 'Tom', key: person('Tom'), open: 1, closed: 9 },
  ])
})

test('areas stand on top of each other, the first line at the top', () => {
  const lines = [
    { label: 'Open', values: [1, 2] },
    { label: 'Working', values: [3, 0] },
    { label: 'Closed', values: [5, 7] },
  ]
  expect(stacked(lines)).toEqual([
    [9, 9],
    [8, 7],
    [5, 7],
  ])
})
