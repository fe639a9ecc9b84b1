import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

test('each endpoint and rule of the contract has one test of its id', () => {
  const listed = [...read('../../../../docs/contract.md').matchAll(/^\| ((?:endpoint|rule)-\d\d) \|/gm)].map(
    ([, id]) => id,
  )
  const tests = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.test.ts'))
  const titles = tests.flatMap((name) =>
    [...read(name).matchAll(/^ *test\('([^']+)'/gm)].map(([, title]) => title ?? ''),
  )
  const tested = titles.flatMap((title) => title.match(/(?:endpoint|rule)-\d\d/g) ?? [])
  expect(tested.toSorted()).toEqual(listed)
  expect([
    listed.filter((id) => id?.startsWith('e')).length,
    listed.filter((id) => id?.startsWith('r')).length,
  ]).toEqual([13, 37])
})
