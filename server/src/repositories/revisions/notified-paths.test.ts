import { expect, test } from 'vitest'
import { changedDirectories, namedDirectories, notificationsFor } from './notified-paths.ts'

const notified = (path: string, ...changed: string[]) =>
  notificationsFor(
    [{ path, emails: [], users: [], user_groups: [] }],
    changedDirectories(changed.map((each) => ({ path: each }))),
  ).length > 0

test.each([
  ['/trunk', '/trunk/web/a.ts', true],
  ['/*/web', '/trunk/web/a.ts', true],
  ['/branches', '/trunk/web/a.ts', false],
  ['/', '/readme', true],
  ['/trunk/web/a.ts', '/trunk/web/a.ts', false],
  ['trunk/', '/trunk', false],
  ['/trunk', '/trunk2/a', false],
  ['/*', '/readme', false],
])('who watches %s is told of %s: %s', (path, changed, isTold) => {
  expect(notified(path, changed)).toBe(isTold)
})

test('a subject names three directories at most', () => {
  expect(namedDirectories(['/a'])).toBe('/a')
  expect(namedDirectories(['/a', '/b', '/c', '/d'])).toBe('/a /b /c ...')
})
