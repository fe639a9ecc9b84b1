import { describe, expect, test } from 'vitest'
import { toId } from '../../platform/database/ids.ts'
import { DESCRIBING, group, READING, TEAMS, WRITING } from '../../../test/fixtures/list-values.ts'
import { oneField } from '../../../test/fixtures/one-field.ts'
import { checkBoxesField } from '../field-types/check-boxes/check-boxes-field.ts'
import { selectBoxField } from '../field-types/select-box/select-box-field.ts'
import type { GroupsBind } from '../tracker.ts'

const given = { bind: TEAMS, reading: READING, writing: WRITING, describing: DESCRIBING }
const team = oneField(selectBoxField, { ...given, initial: [158] })
const teams = oneField(checkBoxesField, given)

describe('a list of groups', () => {
  test('is described by its groups, each with its value id', () => {
    expect(team.describe()).toEqual({
      values: [
        { id: 12, label: 'Project members', ugroup_reference: group(3) },
        { id: 13, label: 'team_red', ugroup_reference: group(158) },
      ],
      bindings: { type: 'ugroups', list: [] },
      default_value: [group(158)],
    })
  })

  test('shows groups with their global ids', () => {
    expect(team.read([13])).toEqual({ values: [group(158)], bind_value_ids: ['158'] })
    expect(team.read([12])).toMatchObject({ bind_value_ids: ['105_3'] })
    expect(team.read([])).toEqual({ values: [], bind_value_ids: [] })
  })

  test.each([
    { item: { bind_value_ids: ['105_3'] }, byName: false, stored: [12] },
    { item: { bind_value_ids: ['158'] }, byName: false, stored: [13] },
    { item: { bind_value_ids: [13] }, byName: false, stored: [13] },
    { item: { bind_value_ids: ['13'] }, byName: false, stored: [13] },
    { item: { bind_value_ids: [158] }, byName: false, stored: [13] },
    { item: { bind_value_ids: [100] }, byName: false, stored: [] },
    { item: { value: 'project_members' }, byName: true, stored: [12] },
    { item: { value: ['team_red', '105_3', 12] }, byName: true, stored: [13, 12] },
    { item: { value: null }, byName: true, stored: [] },
  ])('takes $item', async ({ item, byName, stored }) => {
    expect(await teams.write(item, { byName })).toEqual(stored)
  })

  test('resolves a number as a value id first, and digits in a string as a group id first', async () => {
    const bind: GroupsBind = { ...TEAMS, values: [...TEAMS.values, { id: toId(158), group: 4, is_hidden: false }] }
    const { write } = oneField(selectBoxField, { ...given, bind })
    expect(await write({ bind_value_ids: [158] })).toEqual([158])
    expect(await write({ bind_value_ids: ['158'] })).toEqual([13])
  })

  test.each([
    { item: { bind_value_ids: ['105_4'] }, byName: false, cause: 'group_unknown', path: 'bind_value_ids[0]' },
    { item: { bind_value_ids: ['106_3'] }, byName: false, cause: 'group_unknown' },
    { item: { bind_value_ids: ['team_red'] }, byName: false, cause: 'group_unknown' },
    { item: { value: 'Project members' }, byName: true, cause: 'group_unknown' },
    { item: { bind_value_ids: ['159'] }, byName: false, cause: 'list_value_hidden' },
    { item: { bind_value_ids: [{}] }, byName: false, cause: 'group_unknown' },
  ])('refuses $item', async ({ item, byName, ...fault }) => {
    expect(await team.refusal(item, { byName })).toMatchObject(fault)
  })

  test('keeps a stored group that is now hidden', async () => {
    expect(await team.write({ bind_value_ids: ['159'] }, { stored: [14] })).toEqual([14])
  })

  test('starts with the default', async () => {
    expect(team.field.default).toEqual([13])
    expect(selectBoxField.writeDefault?.(team.field)).toEqual([158])
    expect(await team.begin()).toEqual([13])
    expect(await oneField(selectBoxField, { ...given, initial: [159] }).begin()).toBeUndefined()
  })

  test('is indexed by value ids, names no people, and is flattened to short names', () => {
    expect(team.index([13])).toEqual({ ids: [13] })
    expect(selectBoxField.people?.([13], team.field)).toEqual([])
    expect(teams.flat([12, 13])).toEqual(['project_members', 'team_red'])
  })

  test('migrates to groups of the same name', () => {
    const bind: GroupsBind = { ...TEAMS, values: [{ id: toId(51), group: 3, is_hidden: false }] }
    const there = { bind, groupThere: (number: number) => (number === 3 ? 3 : undefined) }
    expect(teams.migrate([12, 13], 'msb', there)).toEqual({ value: [51], isPartial: true })
    expect(team.migrate([12], 'sb', there)).toEqual({ value: [51], isPartial: false })
  })
})
