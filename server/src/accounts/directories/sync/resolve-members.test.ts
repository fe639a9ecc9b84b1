import { describe, expect, test } from 'vitest'
import { findMappedDirectoryGroup, resolveMembers } from './resolve-members.ts'

const group = (name: string, ...members: string[]) => ({ dn: `cn=${name}`, name, members })
const groups = new Map(
  [
    group('all', 'CN=One', 'cn=staff', 'cn=Mara'),
    group('one', 'cn=two', 'cn=Tom'),
    group('two', 'cn=all', 'cn=Uma'),
    group('staff', 'gus'),
  ].map((each) => [each.dn, each]),
)
const membersOf = (name: string, depth: number) => {
  const found = findMappedDirectoryGroup(groups, name)
  return found && [...resolveMembers(groups, found, depth)].toSorted()
}

describe('the members of a group', () => {
  test.each([
    { depth: 0, members: ['cn=mara'] },
    { depth: 1, members: ['cn=mara', 'cn=tom', 'gus'] },
    { depth: 2, members: ['cn=mara', 'cn=tom', 'cn=uma', 'gus'] },
    { depth: 20, members: ['cn=mara', 'cn=tom', 'cn=uma', 'gus'] },
  ])('at the depth $depth, with a cycle', ({ depth, members }) => {
    expect(membersOf('all', depth)).toEqual(members)
  })
})

describe('a mapping', () => {
  test('names a group by its DN in any spelling, or by its name', () => {
    expect(membersOf('CN = Two', 0)).toEqual(['cn=uma'])
    expect(membersOf('TWO', 0)).toEqual(['cn=uma'])
    expect(membersOf('three', 0)).toBeUndefined()
  })

  test('E19 names no group if several have the name', () => {
    const twin = { ...group('two'), dn: 'cn=two,ou=other' }
    expect(findMappedDirectoryGroup(new Map([...groups, [twin.dn, twin]]), 'two')).toBeUndefined()
  })
})
