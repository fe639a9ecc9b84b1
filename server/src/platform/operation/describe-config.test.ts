import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { VARIABLES } from './config.ts'
import { describeConfig } from './describe-config.ts'

test('docs/configuration.md is what the code says; `npm run docs` writes it', () => {
  expect(readFileSync('docs/configuration.md', 'utf8')).toBe(describeConfig())
})

test('the page has a row of four cells for every variable', () => {
  const rows = describeConfig()
    .split('\n')
    .filter((line) => line.startsWith('| `WAYPOST_'))

  expect(rows.map((row) => row.split('`')[1])).toEqual(Object.keys(VARIABLES))
  expect(rows.filter((row) => row.split('|').length !== 6)).toEqual([])
})
