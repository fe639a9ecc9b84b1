import { anonymousUser } from '../../accounts/users/user.ts'
import type { UserFull } from '../../accounts/users/schemas.ts'
import { isId, toId } from '../../platform/database/ids.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { type Describing, type FoundPerson, ValueFault } from '../field-types/field-type.ts'
import type { SearchContext } from '../search/field-search.ts'
import { NONE_VALUE_ID, type UserSource, type UsersBind } from '../tracker.ts'
import { isNone, parseClientNumber } from './parse-list-input.ts'
import type { ListInput, BoundList, ShownListValue } from './bound-list.ts'
import { storedIds } from './stored-ids.ts'

/** A list of people: the current members of the bind's sources. */
export function peopleList(bind: UsersBind): BoundList {
  return {
    type: 'users',
    describe: (element, describing) => ({
      values: describing.population(element.id).map(choiceOf),
      bindings: { type: 'users', list: bind.sources.flatMap((source) => sourceOf(source, describing)) },
      default_value: storedPeople(element.default).flatMap((id) => {
        const user = describing.user(id)
        return user ? [toPersonValue(user)] : []
      }),
    }),
    show: (ids, reading) =>
      ids.flatMap((id) => {
        const user = reading.user(toId(id))
        return user ? [showPerson(id, user)] : []
      }),
    showNone: ({ context, language }) =>
      showPerson(NONE_VALUE_ID, { ...anonymousUser(context, language), email: null, status: null }),
    async choose(asked, element, writing) {
      const wanted = asked.map((each) => ({ ...each, keys: keysOf(each) }))
      const keys = [...new Set(wanted.flatMap((each) => each.keys))]
      const kept = storedPeople(writing.stored)
      const found = keys.length === 0 ? [] : await writing.choose(element, keys, kept)
      return wanted.flatMap((each) => personIn(found, each))
    },
    async standing(ids, element, writing) {
      const found = ids.length === 0 ? [] : await writing.choose(element, ids, [])
      const there = new Set<number>(found.map(({ id }) => id))
      return ids.filter((id) => there.has(id))
    },
    readDefault(given, path) {
      if (typeof given === 'number' && isId<AccountId>(given)) return given
      throw unknownPerson(path)
    },
    writeDefault: (id) => id,
    migrate(ids, to, migrating) {
      if (to.bind?.type !== 'users') return undefined
      const value = ids.filter((id) => migrating.canBeChosen(to, toId(id)))
      return { value, isPartial: value.length < ids.length }
    },
    search: {
      cause: 'user',
      named: findPerson,
      names: () => [],
      sort: (field) => ({ kind: 'login_of_chosen', field }),
      group: (field) => ({ kind: 'person', of: { field } }),
    },
  }
}

/** The account with this login, whether or not it can be chosen. */
export async function findPerson(login: string, asking: Pick<SearchContext, 'findUser'>): Promise<readonly number[]> {
  // PostgreSQL text cannot contain NUL.
  const found = login.includes('\0') ? undefined : await asking.findUser(login.trim())
  return found === undefined ? [] : [found]
}

export function storedPeople(stored: unknown): AccountId[] {
  return storedIds(stored).map((id) => toId<AccountId>(id))
}

/** A person as a list value; the members are the same for every viewer. */
export function toPersonValue(user: UserFull) {
  const { id, uri, user_url, real_name, display_name, username, ldap_id, avatar_url, is_anonymous, has_avatar } = user
  const { email = null, status = null } = user
  const minimal = {
    id,
    uri,
    user_url,
    real_name,
    display_name,
    username,
    ldap_id,
    avatar_url,
    is_anonymous,
    has_avatar,
  }
  return { ...minimal, email, status }
}

function showPerson(id: number, user: UserFull): ShownListValue {
  return { id, json: toPersonValue(user), label: user.display_name, flat: user.username ?? '' }
}

function choiceOf({ id, uri, display_name, username, avatar_url }: UserFull) {
  return { id, label: username, user_reference: { id, uri, real_name: display_name, username, avatar_url } }
}

function sourceOf(source: UserSource, describing: Describing): { id: number | string; label: string }[] {
  if (source === 'registered_users') return []
  if (typeof source === 'string') return [{ id: 0, label: source }]
  const found = describing.group(source)
  if (!found) return []
  return [{ id: found.id === String(source) ? found.id : source, label: found.short_name }]
}

/** Lookup keys of a person, best first: login or address, the login in parentheses after a name, the id. */
function keysOf({ name, id }: ListInput): (number | string)[] {
  const text = name?.trim() ?? ''
  const login = /\(([^()]+)\)$/.exec(text)?.[1]
  const number = isNone(id) ? undefined : parseClientNumber(id)
  return [...(text === '' ? [] : [text]), ...(login === undefined ? [] : [login]), ...(number ? [number] : [])]
}

function personIn(
  found: readonly FoundPerson[],
  { id, path, keys }: ListInput & { keys: readonly unknown[] },
): number[] {
  for (const key of keys) {
    const fitting = [...new Set(found.filter(({ wanted }) => wanted === key).map((each) => each.id))]
    if (fitting.length > 1)
      throw new ValueFault('reference_ambiguous', { path, rule: 'unique', cause: 'label_ambiguous', allowed: fitting })
    if (fitting.length === 1) return fitting
  }
  if (isNone(id)) return []
  throw unknownPerson(path)
}

function unknownPerson(path: string): ValueFault {
  return new ValueFault('reference_unknown', { path, rule: 'exists', cause: 'user_unknown' })
}
