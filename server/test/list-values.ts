import type { UserFull } from '../src/accounts/users/schemas.ts'
import { toId } from '../src/platform/database/ids.ts'
import { english } from '../src/platform/words/english.ts'
import {
  representDynamicGroup,
  representStaticGroup,
  representSystemGroup,
  type UserGroupOfProject,
} from '../src/projects/groups/user-group.ts'
import type { Describing, Reading, Writing } from '../src/trackers/fields/field-type.ts'
import type { GroupsBind, ListValue, StaticBind, UsersBind } from '../src/trackers/tracker.ts'

/** Values of lists without a database: a status, the people Alice and Bob, two groups of the project Rocket. */
export function value(id: number, label: string, more: Partial<ListValue> = {}): ListValue {
  return { id: toId(id), key: label.toLowerCase(), label, description: '', color: null, is_hidden: false, ...more }
}

export const STATUS: StaticBind = {
  type: 'static',
  alphabetical: false,
  values: [
    value(301, 'Open', { color: 'fiesta-red' }),
    value(302, 'In progress', { key: 'progress', color: '#cc3300' }),
    value(303, 'Closed'),
    value(304, 'Duplicate', { is_hidden: true }),
  ],
}

export const MEMBERS: UsersBind = { type: 'users', sources: [3] }

export const TEAMS: GroupsBind = {
  type: 'ugroups',
  values: [
    { id: toId(12), group: 3, is_hidden: false },
    { id: toId(13), group: 158, is_hidden: false },
    { id: toId(14), group: 159, is_hidden: true },
  ],
}

function person(id: number, login: string, real_name: string): UserFull {
  return {
    id,
    uri: `users/${id}`,
    user_url: `/users/${login}`,
    real_name,
    display_name: `${real_name} (${login})`,
    username: login,
    ldap_id: '',
    avatar_url: `https://waypost.example/users/${login}/avatar.png`,
    is_anonymous: false,
    has_avatar: true,
    email: `${login}@waypost.example`,
    status: 'A',
  }
}

export const ALICE = person(102, 'alice', 'Alice Martin')
export const BOB = person(103, 'bob', 'Bob Keller')

const users = new Map<number | null, UserFull>([ALICE, BOB].map((user) => [user.id, user]))

const groups = new Map<number, UserGroupOfProject>([
  [2, representSystemGroup(2, english)],
  [3, representDynamicGroup(3, { id: toId(105) }, english)],
  [4, representDynamicGroup(4, { id: toId(105) }, english)],
  [19, representDynamicGroup(19, { id: toId(105) }, english)],
  [158, representStaticGroup({ id: toId(158), short_name: 'team_red' })],
  [159, representStaticGroup({ id: toId(159), short_name: 'bug_masters' })],
])

export const READING: Partial<Reading> = { user: (id) => users.get(id), group: (number) => groups.get(number) }

export const DESCRIBING: Partial<Describing> = {
  user: (id) => users.get(id),
  group: (number) => groups.get(number),
  groups: [...groups].map(([number, told]) => ({ number, group: told })),
  population: () => [ALICE, BOB],
}

/** Alice and Bob can be chosen, by id, login or address. Two people share the address `team@waypost.example`. */
export const WRITING: Partial<Writing> = {
  choose: async (_, wanted, kept) =>
    wanted.flatMap((each) => {
      if (each === 'team@waypost.example') return [toId(102), toId(103)].map((id) => ({ wanted: each, id: toId(id) }))
      const found = [...users.values()].find(({ id, username, email }) => [id, username, email].includes(each))
      const id = found?.id ?? kept.find((account) => account === each)
      return id === undefined || id === null ? [] : [{ wanted: each, id: toId(id) }]
    }),
  findGroup: (given, byName) =>
    [...groups].find(
      ([number, { id, short_name }]) => number > 2 && (byName ? short_name === given : id === given),
    )?.[0],
}

/** What a tracker says of a group. */
export function group(number: number) {
  const { additional_information: _, ...told } = groups.get(number) ?? { additional_information: {} }
  return told
}
