import { type Describing, type ReadContext, ValueFault, type FieldWriteContext } from '../field-types/field-type.ts'
import { english } from '../../platform/messages/english.ts'
import { groupIn, groupOfTracker } from '../groups-of-tracker.ts'
import type { LoadedTracker } from '../load-tracker.ts'
import type { GroupedValue, GroupContext } from '../search/group-value.ts'
import type { GroupNumber, GroupsBind } from '../tracker.ts'
import { equalsIgnoringCase, isNone, parseClientNumber } from './parse-list-input.ts'
import type { ListInput, BoundList, ShownListValue } from './bound-list.ts'
import { findGroupIn } from './population.ts'
import { storedIds } from './stored-ids.ts'

/** Project groups selected by the tracker; each is a value with its own id. */
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
      default_value: representGroups(
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
        const called = (group: GroupNumber) =>
          namesOfGroups([group], tracker).some((each) => equalsIgnoringCase(each, name))
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

/** A group as a grouping value; deleted groups are omitted. */
export function groupedBy(
  number: number,
  group: GroupNumber,
  isHidden: boolean,
  { tracker, language }: GroupContext,
): GroupedValue[] {
  const found = groupIn(tracker, group, language)
  return found ? [{ number, id: found.id, label: found.label, isHidden }] : []
}

/** Short names, which do not depend on the language; deleted groups are omitted. */
export function namesOfGroups(groups: readonly GroupNumber[], tracker: LoadedTracker): string[] {
  return groups.flatMap((group) => groupIn(tracker, group, english)?.short_name ?? [])
}

/** Whether this is a qualified group id such as `105_3`. */
export function isGroupId(given: string): boolean {
  return /^\d+_\d+$/.test(given)
}

/**
 * A name takes precedence over an id. Digits in a string are tried as a group id first, a number as a value id first.
 */
function choiceFor<T extends { readonly id: number }>(
  { name, id }: ListInput,
  valueOf: (group: GroupNumber | undefined) => T | undefined,
  groupOf: (id: number) => GroupNumber | undefined,
  writing: FieldWriteContext,
): T | undefined {
  const byName = name === undefined ? undefined : valueOf(writing.findGroup(name.trim(), true))
  const byGroup = valueOf(groupGiven(id, writing))
  const byValue = valueOf(groupOf(parseClientNumber(id) ?? 0))
  return byName ?? (typeof id === 'number' ? (byValue ?? byGroup) : (byGroup ?? byValue))
}

/** The requested group of the project, if it exists. */
export function findAskedGroup({ name, id }: ListInput, writing: FieldWriteContext): GroupNumber | undefined {
  const byName = name === undefined ? undefined : writing.findGroup(name.trim(), true)
  return byName ?? groupGiven(id, writing)
}

function groupGiven(id: unknown, writing: FieldWriteContext): GroupNumber | undefined {
  return typeof id === 'string' || typeof id === 'number' ? writing.findGroup(String(id).trim(), false) : undefined
}

export function noneOf({ id, path }: ListInput): [] {
  if (isNone(id)) return []
  throw unknownGroup(path)
}

export function unknownGroup(path: string): ValueFault {
  return new ValueFault('reference_unknown', { path, rule: 'exists', cause: 'group_unknown' })
}

export function showGroup(number: GroupNumber | undefined, reading: Pick<ReadContext, 'group'>): ShownListValue[] {
  const found = number === undefined ? undefined : reading.group(number)
  return found ? [{ id: found.id, json: groupOfTracker(found), label: found.label, flat: found.short_name }] : []
}

/** Deleted groups are omitted. */
export function representGroups(numbers: readonly GroupNumber[], describing: Pick<Describing, 'group'>) {
  return numbers.flatMap((number) => {
    const found = describing.group(number)
    return found ? [groupOfTracker(found)] : []
  })
}
