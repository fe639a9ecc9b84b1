import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Program code is written from left to right in every language. */
const LEFT_TO_RIGHT = ['web/src/repositories/code.module.css', 'web/src/repositories/diff.module.css']

/** Properties and values that name a side of the screen, instead of the start or the end of a line. */
const PHYSICAL =
  /(?:margin|padding|border)-(?:left|right)|(?<![\w-])(?:left|right):(?!hover)|(?:text-align|float): (?:left|right)/

test('style sheets name the start and the end of lines, not left and right', () => {
  const sheets = globSync('web/src/**/*.css').filter((file) => !LEFT_TO_RIGHT.includes(file))
  const physical = sheets.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (PHYSICAL.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  )

  expect(sheets.length).toBeGreaterThan(60)
  expect(physical).toEqual([])
})

test('style sheets of program code set its direction', () => {
  for (const file of LEFT_TO_RIGHT) expect(readFileSync(file, 'utf8')).toContain('direction: ltr')
})
