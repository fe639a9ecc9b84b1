import type { Tracker } from '@waypost/sdk/api'
import { expect, test } from 'vitest'
import { sampleField, trackerWith } from '../../test/sample-tracker.ts'
import { statusOf } from './status.tsx'
import { progressIn } from './status-elsewhere.tsx'

const values = [1, 2, 3, 4, 5].map((id) => ({ id, label: `Value ${id}` }))
const tracker = (semantics: Tracker['semantics']) => ({
  ...trackerWith([{ ...sampleField('sb'), field_id: 7, values }]),
  semantics,
})

test('open values fill the circle in the order of the list, and closed ones are done', () => {
  const status = statusOf(tracker({ status: { field_id: 7, value_ids: [3, 1, 2] } }))
  expect(status?.fieldId).toBe(7)
  expect([1, 2, 3, 4].map((id) => status?.progressOf(id))).toEqual([0, 1 / 3, 2 / 3, 'done'])
})

test('where the tracker names what is done, other closed values are dropped', () => {
  const status = statusOf(tracker({ status: { field_id: 7, value_ids: [1] }, done: { value_ids: [4] } }))
  expect([1, 4, 5].map((id) => status?.progressOf(id))).toEqual([0, 'done', 'dropped'])
})

test('the status of an artifact of another tracker has its place there, once that is known', () => {
  const other = tracker({ status: { field_id: 7, value_ids: [1, 2] }, done: { value_ids: [4] } })
  expect(['Value 1', 'Value 2'].map((label) => progressIn(other, label, true))).toEqual([0, 1 / 2])
  expect(['Value 4', 'Value 5'].map((label) => progressIn(other, label, false))).toEqual(['done', 'dropped'])
  expect([progressIn(undefined, 'Value 1', true), progressIn(other, 'Renamed', false)]).toEqual([0.5, 'done'])
})

test('a tracker without a status has none', () => {
  expect(statusOf(tracker({}))).toBeUndefined()
})
