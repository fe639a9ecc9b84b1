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
])('a subscriber of %s is notified of %s: %s', (path, changed, isNotified) => {
  expect(notified(path, changed)).toBe(isNotified)
})

test('a mail subject names three directories at most', () => {
  expect(namedDirectories(['/a'])).toBe('/a')
  expect(namedDirectories(['/a', '/b', '/c', '/d'])).toBe('/a /b /c ...')
})
