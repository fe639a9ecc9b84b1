import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DESCRIBING, group, READING, WRITING } from '../../../../test/fixtures/list-values.ts'
import { oneField } from '../../../../test/fixtures/one-field.ts'
import { artifactPermissionsField } from './artifact-permissions-field.ts'

const given = { reading: READING, writing: { ...WRITING, viewerGroups: new Set([3]) }, describing: DESCRIBING }
const restricted = oneField(artifactPermissionsField, given)
const byDefault = oneField(artifactPermissionsField, { ...given, initial: [3, 158] })

describe('the groups that may see an artifact', () => {
  test('are listed, unless there is a default', () => {
    expect(restricted.describe()).toEqual({
      values: { is_used_by_default: false, ugroup_representations: [group(3), group(4), group(158), group(159)] },
    })
    expect(byDefault.describe()).toEqual({
      values: { is_used_by_default: true, ugroup_representations: [group(3), group(158)] },
    })
  })

  test('are shown by label and id', () => {
    expect(restricted.read([3, 158])).toEqual({
      granted_groups: ['Project members', 'team_red'],
      granted_groups_ids: ['105_3', '158'],
    })
    expect(restricted.read(null)).toEqual({ granted_groups: [], granted_groups_ids: [] })
    expect(restricted.read(undefined)).toBeUndefined()
    expect(restricted.flat([3, 158])).toEqual(['project_members', 'team_red'])
    expect(restricted.flat(null)).toEqual([])
  })

  test.each([
    { value: { granted_groups: ['105_3', 158], is_used_by_default: true }, byName: false, stored: [3, 158] },
    { value: { granted_groups: ['105_3', '105_3'] }, byName: false, stored: [3] },
    { value: { granted_groups: ['project_members', '158'] }, byName: true, stored: [3, 158] },
    { value: { is_used_by_default: false }, byName: false, stored: null },
    { value: { granted_groups: ['nonsense'], is_used_by_default: false }, byName: false, stored: null },
    { value: { granted_groups: ['105_3'], is_used_by_default: 'true' }, byName: false, stored: [3] },
    { value: { is_used_by_default: 'false' }, byName: false, stored: null },
  ])('can be $value', async ({ value, byName, stored }) => {
    expect(await restricted.write({ value }, { byName })).toEqual(stored)
  })

  test.each([
    { value: undefined, cause: 'value_missing', reason: 'value_invalid' },
    { value: {}, cause: 'value_missing' },
    { value: 'project_members', cause: 'value_missing' },
    { value: { is_used_by_default: true }, cause: 'perm_groups_missing', reason: 'value_not_allowed' },
    { value: { granted_groups: [], is_used_by_default: true }, cause: 'perm_groups_missing' },
    { value: { granted_groups: '105_3' }, cause: 'not_an_array' },
    { value: { granted_groups: ['105_3', '106_3'] }, cause: 'group_unknown', path: 'value.granted_groups[1]' },
    { value: { granted_groups: ['project_members'] }, cause: 'group_unknown', reason: 'reference_unknown' },
    { value: { granted_groups: ['2'] }, cause: 'group_unknown' },
    { value: { granted_groups: ['158'] }, cause: 'perm_locks_out_caller', reason: 'value_not_allowed' },
  ])('cannot be $value', async ({ value, ...fault }) => {
    expect(await restricted.refusal({ value })).toMatchObject(fault)
  })

  test('may exclude callers who administer the tracker or are already excluded', async () => {
    const value = { granted_groups: ['158'] }
    expect(await restricted.write({ value }, { administers: true })).toEqual([158])
    expect(await restricted.write({ value }, { stored: [158] })).toEqual([158])
    expect(await restricted.refusal({ value }, { stored: [158, 3] })).toMatchObject({ cause: 'perm_locks_out_caller' })
  })

  test('start with the default, even if it excludes the caller', async () => {
    expect(await byDefault.begin()).toEqual([3, 158])
    expect(await restricted.begin()).toBeUndefined()
    expect(artifactPermissionsField.writeDefault?.(byDefault.field)).toEqual([3, 158])
    expect(() => oneField(artifactPermissionsField, { ...given, initial: ['@members'] })).toThrow('value_invalid')
  })

  test('cannot be searched', () => {
    expect(artifactPermissionsField).not.toHaveProperty('index')
  })

  test('are compared as sets; no restriction differs from a restriction to no group', () => {
    const groups = fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 9 })))
    fc.assert(
      fc.property(groups, groups, (one, other) => {
        const isSame = JSON.stringify(one?.toSorted()) === JSON.stringify(other?.toSorted())
        expect(artifactPermissionsField.isSame?.(one, other)).toBe(isSame)
        expect(artifactPermissionsField.isSame?.(one, one?.toReversed() ?? undefined)).toBe(true)
      }),
    )
    expect(artifactPermissionsField.isEmpty?.(null)).toBe(true)
    expect(artifactPermissionsField.isEmpty?.([3])).toBe(false)
  })

  test('migrate to the groups of the same name, and never lift a restriction', () => {
    const there = { groupThere: (number: number) => (number < 100 ? number : undefined) }
    expect(restricted.migrate([3, 4], 'perm', there)).toEqual({ value: [3, 4], isPartial: false })
    expect(restricted.migrate([3, 158], 'perm', there)).toEqual({ value: [3], isPartial: true })
    expect(restricted.migrate([158], 'perm', there)).toEqual({ value: [4], isPartial: true })
    expect(restricted.migrate(null, 'perm', there)).toBeUndefined()
    expect(restricted.migrate([3], 'msb', there)).toBeUndefined()
  })
})
