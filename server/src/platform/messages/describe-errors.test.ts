import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describeErrors } from './describe-errors.ts'
import { english } from './english.ts'
import { REASONS } from './reasons.ts'

test('docs/errors.md is what the code says; `npm run docs` writes it', () => {
  expect(readFileSync('docs/errors.md', 'utf8')).toBe(describeErrors())
})

test('the page names every reason and every cause, and no sentence has a hole', () => {
  const page = describeErrors()

  for (const name of [...Object.keys(REASONS), ...Object.keys(english.causes)]) expect(page).toContain(`\`${name}\` |`)
  expect(page).not.toContain('undefined')
})
