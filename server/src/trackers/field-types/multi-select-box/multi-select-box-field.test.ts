import { describe, expect, test } from 'vitest'
import { toId } from '../../../platform/database/ids.ts'
import { ALICE, BOB, DESCRIBING, MEMBERS, READING, STATUS, WRITING } from '../../../../test/fixtures/list-values.ts'
import { oneField } from '../../../../test/fixtures/one-field.ts'
import { multiSelectBoxField } from './multi-select-box-field.ts'

const given = { reading: READING, writing: WRITING, describing: DESCRIBING }
const assignees = oneField(multiSelectBoxField, { ...given, bind: MEMBERS, initial: [103] })
const environments = oneField(multiSelectBoxField, { ...given, bind: STATUS })

describe('a multi-select box', () => {
  test('accepts any number of values, each once', async () => {
    expect(await environments.write({ bind_value_ids: [303, '301', 303] })).toEqual([303, 301])
    expect(await environments.write({ bind_value_ids: [100] })).toEqual([])
    expect(await environments.write({ bind_value_ids: [100, 301] })).toEqual([301])
    expect(await environments.write({ value: ['open', 'Closed'] }, { byName: true })).toEqual([301, 303])
    expect(await environments.refusal({ bind_value_ids: [301, 304] })).toMatchObject({ path: 'bind_value_ids[1]' })
  })

  test('shows values in the given order', () => {
    expect(environments.read([303, 301])).toMatchObject({
      values: [{ id: 303 }, { id: 301 }],
      bind_value_ids: [303, 301],
    })
  })

  test('shows seven lines by default', () => {
    expect(assignees.field.properties).toEqual({ size: 7 })
  })
})

describe('a list of people', () => {
  test('is described with the people who can be chosen and their sources', () => {
    expect(assignees.describe()).toEqual({
      values: [ALICE, BOB].map(({ id, uri, display_name, username, avatar_url }) => ({
        id,
        label: username,
        user_reference: { id, uri, real_name: display_name, username, avatar_url },
      })),
      bindings: { type: 'users', list: [{ id: 3, label: 'project_members' }] },
      default_value: [BOB],
    })
  })

  test('names its sources as the API does', () => {
    const sources = ['artifact_submitters', 'artifact_modifiers', 'registered_users', 4, 158, 999] as const
    const { bindings } = oneField(multiSelectBoxField, { ...given, bind: { type: 'users', sources } }).describe()
    expect(bindings?.list).toEqual([
      { id: 0, label: 'artifact_submitters' },
      { id: 0, label: 'artifact_modifiers' },
      { id: 4, label: 'project_admins' },
      { id: '158', label: 'team_red' },
    ])
  })

  test('shows people with address and status, and nothing more', () => {
    const secretive = { ...BOB, time_zone: 'Europe/Zurich', text_format: 'html' as const, pending_email: 'b@x.example' }
    const reading = { ...READING, user: () => secretive }
    const { read } = oneField(multiSelectBoxField, { ...given, bind: MEMBERS, reading })
    expect(read([103])).toEqual({ values: [BOB], bind_value_ids: [103] })
  })

  test('shows address and status as null if the viewer may not read them', () => {
    const { email: _email, status: _status, ...minimal } = BOB
    const reading = { ...READING, user: () => minimal }
    const { read } = oneField(multiSelectBoxField, { ...given, bind: MEMBERS, reading })
    expect(read([103])).toMatchObject({ values: [{ id: 103, email: null, status: null }] })
  })

  test('shows None as the anonymous user', () => {
    expect(assignees.read([])).toEqual({
      values: [
        {
          id: null,
          uri: null,
          user_url: null,
          real_name: null,
          display_name: 'Anonymous',
          username: null,
          ldap_id: null,
          avatar_url: 'https://waypost.example/users/anonymous/avatar.png',
          is_anonymous: true,
          has_avatar: false,
          email: null,
          status: null,
        },
      ],
      bind_value_ids: [100],
    })
    expect(assignees.read(undefined)).toBeUndefined()
  })

  test.each([
    { item: { bind_value_ids: [102, '103'] }, byName: false, stored: [102, 103] },
    { item: { bind_value_ids: [100] }, byName: false, stored: [] },
    { item: { value: 'alice' }, byName: true, stored: [102] },
    { item: { value: ['alice', 'bob@waypost.example', 102] }, byName: true, stored: [102, 103] },
    { item: { value: '103' }, byName: true, stored: [103] },
    { item: { value: 'Alice Martin (alice)' }, byName: true, stored: [102] },
    { item: { value: [] }, byName: true, stored: [] },
  ])('takes $item', async ({ item, byName, stored }) => {
    expect(await assignees.write(item, { byName })).toEqual(stored)
  })

  test.each([
    { item: { bind_value_ids: [102, 104] }, byName: false, cause: 'user_unknown', path: 'bind_value_ids[1]' },
    { item: { bind_value_ids: ['alice'] }, byName: false, cause: 'user_unknown' },
    { item: { value: 'nobody-there' }, byName: true, cause: 'user_unknown', reason: 'reference_unknown' },
    {
      item: { value: 'team@waypost.example' },
      byName: true,
      reason: 'reference_ambiguous',
      cause: 'label_ambiguous',
      allowed: [102, 103],
    },
  ])('refuses $item', async ({ item, byName, ...fault }) => {
    expect(await assignees.refusal(item, { byName })).toMatchObject(fault)
  })

  test('keeps former members who are stored', async () => {
    expect(await assignees.write({ bind_value_ids: [104, 102] }, { stored: [104] })).toEqual([104, 102])
    expect(await assignees.refusal({ bind_value_ids: [104] }, { stored: [102] })).toMatchObject({
      cause: 'user_unknown',
    })
  })

  test('starts with the default people who can still be chosen', async () => {
    expect(await oneField(multiSelectBoxField, { ...given, bind: MEMBERS, initial: [104, 103] }).begin()).toEqual([103])
    expect(await oneField(multiSelectBoxField, { ...given, bind: MEMBERS, initial: [104] }).begin()).toBeUndefined()
  })

  test('is indexed by account, names the accounts, and is flattened to logins', () => {
    expect(assignees.index([103, 102])).toEqual({ ids: [103, 102] })
    expect(multiSelectBoxField.people?.([103, 102], assignees.field)).toEqual([103, 102])
    expect(assignees.flat([103, 102, 104])).toEqual(['bob', 'alice'])
    expect(assignees.flat([])).toEqual([])
  })

  test('keeps people who can be chosen in the target, and only one in a single-value list', () => {
    const there = { bind: MEMBERS, canBeChosen: (_: unknown, id: number) => id !== 104 }
    expect(assignees.migrate([102, 103], 'cb', there)).toEqual({ value: [102, 103], isPartial: false })
    expect(assignees.migrate([104, 103], 'msb', there)).toEqual({ value: [103], isPartial: true })
    expect(assignees.migrate([102, 103], 'sb', there)).toEqual({ value: [102], isPartial: true })
    expect(assignees.migrate([toId(102)], 'tbl', there)).toBeUndefined()
    expect(assignees.migrate([102], 'msb', { bind: STATUS })).toBeUndefined()
  })
})
