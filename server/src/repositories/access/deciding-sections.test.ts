import { expect, test } from 'vitest'
import { decidingSections } from './deciding-sections.ts'

const TEXT = `
@leads = r
[/trunk]
* = r
[core:/trunk/web/]
* =
# [/trunk/commented]
[/br\u00fcche]
tom = rw
[ /a b ]
tom =`

test.each([
  ['/', '/'],
  ['/tags', '/'],
  ['/trunk', '/trunk'],
  ['/trunk/src/main.c', '/trunk'],
  ['/trunkated', '/'],
  ['/trunk/web', '/trunk/web'],
  ['/trunk/web/a/b', '/trunk/web'],
  ['/trunk/website', '/trunk'],
  ['/trunk/commented/x', '/trunk'],
  ['/bru\u0308che/x', '/bru\u0308che'],
  ['/a b/c', '/a b'],
])('the section for %s is %s', (path, expected) => {
  expect(decidingSections(TEXT)(path)).toBe(expected)
})

test('with glob sections, each path is checked by itself', () => {
  expect(decidingSections(`${TEXT}\n[:glob:/**/secret]\n* =`)('/tags/a')).toBe('/tags/a')
})
