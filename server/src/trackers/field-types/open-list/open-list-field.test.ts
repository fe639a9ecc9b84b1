import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fold } from '../../../accounts/login.ts'
import {
  ALICE,
  BOB,
  DESCRIBING,
  group,
  MEMBERS,
  READING,
  TEAMS,
  value,
  WRITING,
} from '../../../../test/fixtures/list-values.ts'
import { oneField } from '../../../../test/fixtures/one-field.ts'
import type { StaticBind } from '../../tracker.ts'
import { openListField } from './open-list-field.ts'

const TAGS: StaticBind = {
  type: 'static',
  alphabetical: false,
  values: [
    value(331, 'engine', { color: 'deep-blue' }),
    value(332, 'software'),
    value(333, 'obsolete', { is_hidden: true }),
  ],
}
const COLD = { id: 12, label: 'cold start' }

const given = {
  reading: READING,
  describing: { ...DESCRIBING, openValues: () => [COLD] },
  writing: {
    ...WRITING,
    findOpenValue: async (_: unknown, wanted: { id: number } | { label: string }) =>
      ('id' in wanted ? wanted.id === COLD.id : fold(wanted.label) === COLD.label) ? COLD : undefined,
  },
}
const tags = oneField(openListField, { ...given, bind: TAGS, properties: { hint: 'Type a tag' } })

describe('an open list', () => {
  test('is described with the defined values and the added ones', () => {
    expect(tags.describe()).toEqual({
      values: [
        { id: 331, label: 'engine', is_hidden: false, value_color: 'deep-blue' },
        { id: 332, label: 'software', is_hidden: false, value_color: '' },
        { id: 333, label: 'obsolete', is_hidden: true, value_color: '' },
        { id: 'o12', label: 'cold start', is_hidden: false, value_color: '' },
      ],
      bindings: { type: 'static', list: [] },
      default_value: [],
      extra: { hint: 'Type a tag' },
    })
    expect(tags.field.properties).toEqual({ hint: 'Type a tag' })
  })

  test('shows both kinds with their labels', () => {
    expect(tags.read([331, COLD])).toEqual({
      bind_value_objects: [
        {
          id: 331,
          label: 'engine',
          color: null,
          tlp_color: 'deep-blue',
          is_hidden: false,
          display_name: 'engine',
        },
        { id: 'o12', label: 'cold start', display_name: 'cold start' },
      ],
      bind_value_ids: ['engine', 'cold start'],
      bind_type: 'static',
    })
    expect(tags.read([])).toEqual({ bind_value_objects: [], bind_value_ids: [], bind_type: 'static' })
    expect(tags.read(undefined)).toBeUndefined()
  })

  test.each([
    { item: { bind_value_ids: ['engine', 'valve'] }, stored: [331, { id: 0, label: 'valve' }] },
    { item: { bind_value_ids: [' Engine ', 'COLD START'] }, stored: [331, COLD] },
    { item: { bind_value_ids: ['Valve', 'valve ', 'VALVE'] }, stored: [{ id: 0, label: 'Valve' }] },
    { item: { bind_value_ids: [331, 'engine'] }, stored: [331] },
    { item: { bind_value_ids: [] }, stored: [] },
    { item: { bind_value_ids: ['o12'] }, stored: [{ id: 0, label: 'o12' }] },
    {
      item: { value: { bind_value_objects: [{ id: 331 }, { id: 'b332' }, { id: 'o12' }, { label: 'x' }] } },
      stored: [331, 332, COLD, { id: 0, label: 'x' }],
    },
    { item: { value: { bind_value_objects: [{ id: '331', label: 'renamed since' }] } }, stored: [331] },
    { item: { value: { bind_value_objects: [{ id: 100 }] } }, stored: [] },
    { item: { value: { bind_value_objects: [] } }, stored: [] },
  ])('takes $item', async ({ item, stored }) => {
    expect(await tags.write(item)).toEqual(stored)
  })

  test.each([
    { value: ['engine', 'valve'], stored: [331, { id: 0, label: 'valve' }] },
    { value: 'valve', stored: [{ id: 0, label: 'valve' }] },
    { value: 332, stored: [332] },
    { value: '332', stored: [{ id: 0, label: '332' }] },
    { value: null, stored: [] },
    { value: '', stored: [] },
  ])('takes $value by name', async ({ value: sent, stored }) => {
    expect(await tags.write({ value: sent }, { byName: true })).toEqual(stored)
  })

  test.each([
    { item: {}, cause: 'value_missing' },
    { item: { value: ['engine'] }, cause: 'value_missing' },
    { item: { bind_value_ids: 'engine' }, cause: 'not_an_array' },
    { item: { value: { bind_value_objects: {} } }, cause: 'not_an_array', path: 'value.bind_value_objects' },
    { item: { bind_value_ids: ['engine', ' '] }, cause: 'value_missing', path: 'bind_value_ids[1]' },
    { item: { value: { bind_value_objects: [{ label: '' }] } }, cause: 'value_missing' },
    { item: { value: { bind_value_objects: [{}] } }, cause: 'value_missing' },
    { item: { value: { bind_value_objects: [{ id: 'o13' }] } }, cause: 'list_value_unknown' },
    { item: { value: { bind_value_objects: [{ id: 'x' }] } }, cause: 'list_value_unknown' },
    { item: { bind_value_ids: [999] }, cause: 'list_value_unknown' },
    { item: { bind_value_ids: ['obsolete'] }, cause: 'list_value_hidden' },
    { item: { bind_value_ids: ['two\nlines'] }, cause: 'line_break' },
    { item: { bind_value_ids: ['x'.repeat(256)] }, cause: 'too_long', allowed: { maximum: 255 } },
    { item: { bind_value_ids: ['\ufdfa'.repeat(200)] }, cause: 'too_long' },
  ])('refuses $item', async ({ item, ...fault }) => {
    expect(await tags.refusal(item)).toMatchObject(fault)
  })

  test('keeps a hidden value that is stored', async () => {
    expect(await tags.write({ bind_value_ids: ['obsolete'] }, { stored: [333] })).toEqual([333])
  })

  test('compares values as sets', () => {
    expect(openListField.isSame?.([331, COLD], [COLD, 331])).toBe(true)
    expect(openListField.isSame?.([331], [{ id: 331, label: 'engine' }])).toBe(false)
    expect(openListField.isSame?.([COLD], [{ id: 0, label: 'warm start' }])).toBe(false)
    expect(openListField.isSame?.(undefined, [])).toBe(true)
    expect(openListField.isEmpty?.([COLD])).toBe(false)
    expect(openListField.isEmpty?.([])).toBe(true)
  })

  test('is indexed by ids, with added values kept apart from defined ones', () => {
    expect(tags.index([331, COLD])).toEqual({ ids: [331, -12] })
    expect(tags.flat([331, COLD])).toEqual(['engine', 'cold start'])
  })

  test('migrates completely: missing values are added', () => {
    const bind: StaticBind = { ...TAGS, values: [value(901, 'Cold start')] }
    const warm = { id: 14, label: 'warm start' }
    const there = { bind, findOpenValue: (_: unknown, label: string) => (label === 'engine' ? warm : undefined) }
    expect(tags.migrate([331, COLD, { id: 13, label: 'odd' }], 'tbl', there)).toEqual({
      value: [warm, 901, { id: 0, label: 'odd' }],
      isPartial: false,
    })
    expect(tags.migrate([331], 'msb', there)).toBeUndefined()
    expect(tags.migrate([331], 'tbl', { bind: MEMBERS })).toBeUndefined()
  })

  test('can be read and sent back, as labels and as objects', async () => {
    const values = fc.uniqueArray(fc.constantFrom(331, 332, 333, COLD))
    await fc.assert(
      fc.asyncProperty(values, async (stored) => {
        const read = tags.read(stored)
        expect(await tags.write({ ...read }, { stored })).toEqual(stored)
        expect(await tags.write({ value: { ...read } }, { stored })).toEqual(stored)
      }),
    )
  })
})

describe('an open list of people', () => {
  const watchers = oneField(openListField, { ...given, bind: MEMBERS, initial: [102] })

  test('is described by the address of the people search', () => {
    expect(watchers.describe()).toEqual({
      values: { resource: { type: 'users', uri: 'users/?query=' } },
      bindings: { type: 'users', list: [{ id: 3, label: 'project_members' }] },
      default_value: [ALICE],
      extra: { hint: '' },
    })
  })

  test('shows people', () => {
    expect(watchers.read([102, 103])).toEqual({
      bind_value_objects: [ALICE, BOB],
      bind_value_ids: ['Alice Martin (alice)', 'Bob Keller (bob)'],
      bind_type: 'users',
    })
    expect(watchers.read([])).toEqual({ bind_value_objects: [], bind_value_ids: [], bind_type: 'users' })
  })

  test.each([
    { item: { bind_value_ids: ['alice', 'bob@waypost.example'] }, stored: [102, 103] },
    { item: { bind_value_ids: ['Alice Martin (alice)', '103'] }, stored: [102, 103] },
    { item: { value: { bind_value_objects: [{ id: 102 }, { username: 'bob' }] } }, stored: [102, 103] },
    { item: { value: { bind_value_objects: [{ email: 'alice@waypost.example' }, ALICE] } }, stored: [102] },
    { item: { value: { bind_value_objects: [{ id: null, username: null }] } }, stored: [] },
  ])('takes $item', async ({ item, stored }) => {
    expect(await watchers.write(item)).toEqual(stored)
  })

  test.each([
    { item: { bind_value_ids: ['carol'] }, cause: 'user_unknown' },
    { item: { bind_value_ids: [''] }, cause: 'value_missing' },
    { item: { value: { bind_value_objects: [{ id: 104 }] } }, cause: 'user_unknown' },
  ])('refuses $item', async ({ item, ...fault }) => {
    expect(await watchers.refusal(item)).toMatchObject(fault)
  })

  test('names people, and keeps those who can be chosen in the target', async () => {
    expect(openListField.people?.([102], watchers.field)).toEqual([102])
    expect(openListField.people?.([331], tags.field)).toEqual([])
    expect(watchers.flat([102])).toEqual(['alice'])
    expect(await watchers.begin()).toEqual([102])
    const there = { bind: MEMBERS, canBeChosen: (_: unknown, id: number) => id === 102 }
    expect(watchers.migrate([102, 103], 'tbl', there)).toEqual({ value: [102], isPartial: true })
  })
})

describe('an open list of groups', () => {
  const teams = oneField(openListField, { ...given, describing: DESCRIBING, bind: TEAMS, initial: [158] })

  test('lists every group of the project', () => {
    expect(teams.describe()).toMatchObject({
      values: [group(3), group(4), group(19), group(158), group(159)],
      bindings: { type: 'ugroups', list: [] },
      default_value: [group(158)],
    })
  })

  test('shows groups', () => {
    expect(teams.read([158])).toEqual({
      bind_value_objects: [{ ...group(158), display_name: 'team_red' }],
      bind_value_ids: ['team_red'],
      bind_type: 'ugroups',
    })
  })

  test('accepts groups by id or short name', async () => {
    expect(await teams.write({ value: { bind_value_objects: [{ id: '105_4' }, { short_name: 'team_red' }] } })).toEqual(
      [4, 158],
    )
    expect(await teams.write({ bind_value_ids: ['project_members', '159', 158] })).toEqual([3, 159, 158])
    expect(await teams.refusal({ bind_value_ids: ['team_blue'] })).toMatchObject({ cause: 'group_unknown' })
    expect(await teams.begin()).toEqual([158])
    expect(teams.flat([3])).toEqual(['project_members'])
  })

  test('migrates to the groups of the same name', () => {
    const there = { bind: TEAMS, groupThere: (number: number) => (number === 158 ? 258 : undefined) }
    expect(teams.migrate([158, 159], 'tbl', there)).toEqual({ value: [258], isPartial: true })
  })
})
