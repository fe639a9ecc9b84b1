import { expect, test } from 'vitest'
import { listOutdated, renderOutdated } from './outdated.ts'

// Output of npm 11: an array if several workspaces have the package.
const OUTDATED = {
  fastify: {
    current: '5.6.0',
    wanted: '5.6.0',
    latest: '5.7.1',
    dependent: 'server',
    location: 'node_modules/fastify',
  },
  react: [
    { current: '19.1.0', wanted: '19.1.0', latest: '19.2.0', dependent: 'web', location: 'node_modules/react' },
    { current: '19.1.0', wanted: '19.1.0', latest: '19.2.0', dependent: 'sdk', location: 'node_modules/react' },
  ],
  missing: { wanted: '1.0.0', latest: '1.0.0', dependent: 'server' },
}
const TIMES = {
  fastify: { '5.6.0': '2026-01-01T00:00:00.000Z', '5.7.1': '2026-10-01T00:00:00.000Z' },
  react: { '19.1.0': '2025-11-17T00:00:00.000Z', '19.2.0': '2026-06-17T12:00:00.000Z' },
}
const NOW = new Date('2026-11-17T00:00:00Z')

test('outdated packages are listed once, with their ages, the longest outdated first', () => {
  expect(listOutdated(OUTDATED, TIMES, NOW)).toEqual([
    { name: 'react', current: '19.1.0', latest: '19.2.0', ageDays: 365, behindDays: 152 },
    { name: 'fastify', current: '5.6.0', latest: '5.7.1', ageDays: 320, behindDays: 47 },
    { name: 'missing', current: 'not installed', latest: '1.0.0', ageDays: undefined, behindDays: undefined },
  ])
})

test('the table has one line each, or states that there is nothing', () => {
  expect(renderOutdated(listOutdated(OUTDATED, TIMES, NOW)).split('\n')).toEqual([
    'package  installed      published  newest  available for',
    'react    19.1.0         365 days   19.2.0  152 days',
    'fastify  5.6.0          320 days   5.7.1   47 days',
    'missing  not installed  unknown    1.0.0   unknown',
  ])
  expect(renderOutdated([])).toBe('Everything is up to date.')
})
