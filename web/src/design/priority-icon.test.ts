import { expect, test } from 'vitest'
import { toPriorityLevel } from './priority-icon.tsx'

test('a priority has the level of its name in either language, and no level without one', () => {
  const labels = ['Urgent', ' critical ', 'Hoch', 'normal', 'Low', 'None', 'P1', 'constructor']
  expect(labels.map(toPriorityLevel)).toEqual([
    'urgent',
    'urgent',
    'high',
    'medium',
    'low',
    'none',
    undefined,
    undefined,
  ])
})
