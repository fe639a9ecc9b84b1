import { expect, test } from 'vitest'
import { artifactOfReference, isSameReference } from './reference-target.ts'

test('a reference names an artifact by its number, if the keyword is that of its tracker or of every tracker', () => {
  const bug = artifactOfReference('/goto?key=Bug&val=15&group_id=105')
  expect(bug).toEqual({ keyword: 'bug', id: 15 })
  expect(artifactOfReference('https://waypost.example/goto?key=svn&val=core%2F318')).toBeUndefined()
  expect(bug && isSameReference(bug, 'bug #15')).toBe(true)
  expect(bug && isSameReference(bug, 'task #15')).toBe(false)
  expect(isSameReference({ keyword: 'art', id: 15 }, 'task #15')).toBe(true)
})
