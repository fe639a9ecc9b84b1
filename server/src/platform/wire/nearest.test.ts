import { expect, test } from 'vitest'
import { nearestName } from './nearest.ts'

const NAMES = ['status', 'summary', 'Open', 'In progress', 'due']

test.each([
  ['statsu', 'status'],
  ['Status', 'status'],
  ['sumary', 'summary'],
  ['smmrary', 'summary'],
  ['opn', 'Open'],
  ['inprogres', 'In progress'],
  ['dew', undefined],
  ['due', 'due'],
  ['points', undefined],
  ['', undefined],
  ['z', undefined],
  ['x'.repeat(1000), undefined],
])('%j suggests %j', (written, name) => {
  expect(nearestName(written, NAMES)).toBe(name)
})
