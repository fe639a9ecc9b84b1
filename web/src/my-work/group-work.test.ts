import type { OwnArtifact } from '@waypost/sdk/api'
import { describe, expect, test } from 'vitest'
import { cutGroups, groupWork, type WorkGrouping } from './group-work.ts'

/** A Tuesday. */
const NOW = new Date(2026, 10, 17, 12)

let lastId = 0
function item(title: string, more: Partial<OwnArtifact> = {}): OwnArtifact {
  const id = ++lastId
  const project = { id: 1, uri: 'projects/1', label: 'Garden', icon: '' }
  return {
    id,
    uri: `artifacts/${id}`,
    html_url: `/artifacts/${id}`,
    title,
    xref: `bug #${id}`,
    tracker: { id: 1, uri: 'trackers/1', label: 'Bugs', color_name: '', cannot_create_reasons: null, project },
    status: null,
    priority: null,
    due: null,
    last_modified_date: '2026-11-01T00:00:00+00:00',
    ...more,
  }
}
const due = (day: string) => ({ due: { value: `${day}T00:00:00+01:00`, is_time_displayed: false } })
const priority = (value: string) => ({ priority: { value, color: null } })
const status = (value: string, progress: number) => ({ status: { value, color: null, progress } })

const shown = (items: readonly OwnArtifact[], by: WorkGrouping) =>
  groupWork(items, by, NOW).map(({ key, items: within }) => [key, within.map(({ title }) => title)])

describe('work', () => {
  test('is grouped by due date until the end of the week, and sorted by priority, coming days by date', () => {
    const items = [
      item('some day'),
      item('some day, high', priority('High')),
      item('urgent', priority('Urgent')),
      item('next Tuesday, high', { ...due('2026-11-24'), ...priority('High') }),
      item('next Monday', due('2026-11-23')),
      item('Sunday', due('2026-11-22')),
      item('Wednesday', due('2026-11-18')),
      item('today, low', { ...due('2026-11-17'), ...priority('Low') }),
      item('today', due('2026-11-17')),
      item('today, urgent', { ...due('2026-11-17'), ...priority('Urgent') }),
      item('today, of another scale', { ...due('2026-11-17'), ...priority('P2') }),
      item('yesterday', due('2026-11-16')),
      item('this evening', { due: { value: '2026-11-17T19:30:00+01:00', is_time_displayed: true } }),
    ]
    expect(shown(items, 'due')).toEqual([
      ['overdue', ['yesterday']],
      ['today', ['today, urgent', 'today, of another scale', 'today, low', expect.any(String), expect.any(String)]],
      ['urgent', ['urgent']],
      ['week', ['Wednesday', 'Sunday']],
      ['later', ['next Monday', 'next Tuesday, high']],
      ['none', ['some day, high', 'some day']],
    ])
  })

  test('is grouped by the name of the status, the furthest first', () => {
    const items = [
      item('a', status('New', 0)),
      item('b', status('In review', 0.75)),
      item('c'),
      item('d', status('new', 0)),
    ]
    expect(shown(items, 'status')).toEqual([
      ['in review', ['b']],
      ['new', expect.arrayContaining(['a', 'd'])],
      ['', ['c']],
    ])
  })

  test('is grouped by project, in order of their names', () => {
    const [zoo, attic] = [item('z'), item('a')].map((each, at) => ({
      ...each,
      tracker: { ...each.tracker, project: { ...each.tracker.project, id: at + 5, label: at === 0 ? 'Zoo' : 'Attic' } },
    }))
    expect(
      shown(
        [zoo, attic].flatMap((each) => each ?? []),
        'project',
      ),
    ).toEqual([
      ['6', ['a']],
      ['5', ['z']],
    ])
  })

  test('is cut after some rows, in the middle of a group', () => {
    const groups = groupWork(
      ['2026-11-01', '2026-11-17', '2026-11-17'].map((day) => item(day, due(day))),
      'due',
      NOW,
    )
    expect(cutGroups(groups, 2).map(({ key, items }) => [key, items.length])).toEqual([
      ['overdue', 1],
      ['today', 1],
    ])
    expect(cutGroups(groups, 1)).toHaveLength(1)
  })
})
