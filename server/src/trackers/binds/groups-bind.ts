import { type Describing, type Reading, ValueFault, type Writing } from '../fields/field-type.ts'
import { english } from '../../platform/words/english.ts'
import { groupIn, groupOfTracker } from '../groups-of-tracker.ts'
import type { LoadedTracker } from '../load-tracker.ts'
import type { GroupedValue, Telling } from '../search/group-value.ts'
import type { GroupNumber, GroupsBind } from '../tracker.ts'
import { isCalled, isNone, numberIn } from './asked.ts'
import type { Asked, BoundList, Shown } from './bound-list.ts'
import { findGroupIn } from './population.ts'
import { storedIds } from './stored-ids.ts'

/** Groups of the project that the tracker has chosen; each is a value with an id of its own. */
export function groupsList({ values }: GroupsBind): BoundList {
  const groupOf = (id: number) => values.find((value) => value.id === id)?.group
  const valueOf = (group: GroupNumber | undefined) => values.find((value) => value.group === group)
  return {
    type: 'ugroups',
    describe: ({ default: initial }, describing) => ({
      values: values.flatMap(({ id, group, is_hidden }) => {
        const found = is_hidden ? undefined : describing.group(group)
        return found ? [{ id, label: found.label, ugroup_reference: groupOfTracker(found) }] : []
      }),
      bindings: { type: 'ugroups', list: [] },
      default_value: groupsOf(
        storedIds(initial).flatMap((id) => groupOf(id) ?? []),
        describing,
      ),
    }),
    show: (ids, reading) => ids.flatMap((id) => showGroup(groupOf(id), reading)),
    async choose(asked, _, writing) {
      const kept = storedIds(writing.stored)
      return asked.flatMap((each) => {
        const found = choiceFor(each, valueOf, groupOf, writing)
        if (!found) return noneOf(each)
        if (!found.is_hidden || kept.includes(found.id)) return [found.id]
        throw new ValueFault('value_not_allowed', { path: each.path, rule: 'one_of', cause: 'list_value_hidden' })
      })
    },
    async standing(ids) {
      return ids.filter((id) => values.some((value) => value.id === id && !value.is_hidden))
    },
    readDefault(given, path) {
      const value = typeof given === 'number' ? valueOf(given) : undefined
      if (!value) throw unknownGroup(path)
      return value.id
    },
    writeDefault: groupOf,
    migrate(ids, { bind }, migrating) {
      if (bind?.type !== 'ugroups') return undefined
      const there = ids.map((id) => {
        const group = migrating.groupThere(groupOf(id) ?? 0)
        return bind.values.find((value) => value.group === group)?.id
      })
      return { value: there.filter((id) => id !== undefined), isPartial: there.includes(undefined) }
    },
    search: {
      cause: 'list_value',
      async named(name, { tracker }) {
        const called = (group: GroupNumber) => namesOfGroups([group], tracker).some((each) => isCalled(each, name))
        return values.filter(({ group }) => called(group)).map(({ id }) => id)
      },
      numberOf: (id, { tracker }) => (isGroupId(id) ? (valueOf(findGroupIn(tracker, id, false))?.id ?? 0) : undefined),
      names: ({ tracker }) =>
        namesOfGroups(
          values.map(({ group }) => group),
          tracker,
        ),
      sort: (field) => ({ kind: 'place', field, ids: values.map(({ id }) => id) }),
      group: (field, telling) => ({
        kind: 'list',
        field,
        values: values.flatMap(({ id, group, is_hidden }) => groupedBy(id, group, is_hidden, telling)),
      }),
    },
  }
}

/** A group as a value that artifacts are counted by; one that is gone is left out. */
export function groupedBy(
  number: number,
  group: GroupNumber,
  isHidden: boolean,
  { tracker, language }: Telling,
): GroupedValue[] {
  const found = groupIn(tracker, group, language)
  return found ? [{ number, id: found.id, label: found.label, isHidden }] : []
}

/** Short names, which are the same in every language; what the project has no longer has none. */
export function namesOfGroups(groups: readonly GroupNumber[], tracker: LoadedTracker): string[] {
  return groups.flatMap((group) => groupIn(tracker, group, english)?.short_name ?? [])
}

/** Whether it has the form that ids of groups have on the wire, and no other ids: `105_3`. */
export function isGroupId(given: string): boolean {
  return /^\d+_\d+$/.test(given)
}

/** A name goes before an id. Digits in a string are rather the id of a group, a number is rather the id of a value. */
function choiceFor<T extends { readonly id: number }>(
  { name, id }: Asked,
  valueOf: (group: GroupNumber | undefined) => T | undefined,
  groupOf: (id: number) => GroupNumber | undefined,
  writing: Writing,
): T | undefined {
  const byName = name === undefined ? undefined : valueOf(writing.findGroup(name.trim(), true))
  const byGroup = valueOf(groupGiven(id, writing))
  const byValue = valueOf(groupOf(numberIn(id) ?? 0))
  return byName ?? (typeof id === 'number' ? (byValue ?? byGroup) : (byGroup ?? byValue))
}

/** The group of the project that is asked for; undefined: there is none. */
export function findAskedGroup({ name, id }: Asked, writing: Writing): GroupNumber | undefined {
  const byName = name === undefined ? undefined : writing.findGroup(name.trim(), true)
  return byName ?? groupGiven(id, writing)
}

function groupGiven(id: unknown, writing: Writing): GroupNumber | undefined {
  return typeof id === 'string' || typeof id === 'number' ? writing.findGroup(String(id).trim(), false) : undefined
}

export function noneOf({ id, path }: Asked): [] {
  if (isNone(id)) return []
  throw unknownGroup(path)
}

export function unknownGroup(path: string): ValueFault {
  return new ValueFault('reference_unknown', { path, rule: 'exists', cause: 'group_unknown' })
}

export function showGroup(number: GroupNumber | undefined, reading: Pick<Reading, 'group'>): Shown[] {
  const found = number === undefined ? undefined : reading.group(number)
  return found ? [{ id: found.id, json: groupOfTracker(found), label: found.label, flat: found.short_name }] : []
}

/** A group that is gone is left out. */
export function groupsOf(numbers: readonly GroupNumber[], describing: Pick<Describing, 'group'>) {
  return numbers.flatMap((number) => {
    const found = describing.group(number)
    return found ? [groupOfTracker(found)] : []
  })
}
