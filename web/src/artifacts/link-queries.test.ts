import { expect, test } from 'vitest'
import { ofTrackerFirst } from './link-queries.ts'

test('found artifacts of the own tracker come first, each part in its order', () => {
  const found = ['task #3', 'bug #1', 'task #9', 'bug #2', 'bugs #4'].map((xref) => ({ xref }))
  const order = ofTrackerFirst(found, 'bug').map(({ xref }) => xref)
  expect(order).toEqual(['bug #1', 'bug #2', 'task #3', 'task #9', 'bugs #4'])
})
