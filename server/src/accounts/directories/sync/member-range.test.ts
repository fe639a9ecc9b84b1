import { describe, expect, test } from 'vitest'
import { findMemberRange } from './member-range.ts'

describe('the members of a large group', () => {
  test('come in parts with a next one', () => {
    const entry = { dn: 'cn=all', member: [], 'member;range=0-1499': ['cn=mara', 'cn=tom'] }
    expect(findMemberRange(entry, 'Member')).toEqual({ values: ['cn=mara', 'cn=tom'], next: 1500 })
  })

  test('end with a part that says so', () => {
    expect(findMemberRange({ dn: 'cn=all', 'member;Range=1500-*': 'cn=uma' }, 'member')).toEqual({
      values: ['cn=uma'],
      next: undefined,
    })
  })

  test('are whole elsewhere', () => {
    expect(findMemberRange({ dn: 'cn=all', member: ['cn=mara'] }, 'member')).toBeUndefined()
  })
})
