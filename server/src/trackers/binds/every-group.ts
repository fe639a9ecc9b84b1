import { DYNAMIC_GROUPS, SYSTEM_GROUPS } from '../../projects/groups/user-group-id.ts'
import type { Describing } from '../field-types/field-type.ts'
import type { BoundList } from './bound-list.ts'
import {
  findAskedGroup,
  groupedBy,
  representGroups,
  isGroupId,
  namesOfGroups,
  noneOf,
  showGroup,
  unknownGroup,
} from './groups-bind.ts'
import { findGroupIn } from './population.ts'
import { storedIds } from './stored-ids.ts'

const NOBODY_AND_EVERYBODY = [1, 2, 5, 100]

/** A list of all project groups. Open lists use it; they store the group numbers directly. */
export const everyGroup: BoundList = {
  type: 'ugroups',
  describe: ({ default: initial }, describing) => ({
    values: representGroups(groupsOfProject(describing), describing),
    bindings: { type: 'ugroups', list: [] },
    default_value: representGroups(storedIds(initial), describing),
  }),
  show: (ids, reading) => ids.flatMap((id) => showGroup(id, reading)),
  async choose(asked, _, writing) {
    return asked.flatMap((each) => findAskedGroup(each, writing) ?? noneOf(each))
  },
  async standing(ids) {
    return ids
  },
  readDefault(given, path) {
    if (typeof given === 'number') return given
    throw unknownGroup(path)
  },
  writeDefault: (id) => id,
  migrate(ids, { bind }, migrating) {
    if (bind?.type !== 'ugroups') return undefined
    const there = ids.map((id) => migrating.groupThere(id))
    return { value: there.filter((id) => id !== undefined), isPartial: there.includes(undefined) }
  },
  search: {
    cause: 'list_value',
    async named(name, { tracker }) {
      return [findGroupIn(tracker, name.trim(), true)].filter((group) => group !== undefined)
    },
    numberOf: (id, { tracker }) => (isGroupId(id) ? (findGroupIn(tracker, id, false) ?? 0) : undefined),
    names: ({ tracker }) => namesOfGroups([...DYNAMIC_GROUPS, ...tracker.project.groups.keys()], tracker),
    group: (field, telling) => ({
      kind: 'list',
      field,
      values: [...SYSTEM_GROUPS, ...DYNAMIC_GROUPS, ...telling.tracker.project.groups.keys()].flatMap((group) =>
        groupedBy(group, group, NOBODY_AND_EVERYBODY.includes(group), telling),
      ),
    }),
  },
}

/** Excludes platform groups, which contain everyone or no one. */
export function groupsOfProject({ groups }: Pick<Describing, 'groups'>): number[] {
  return groups.map(({ number }) => number).filter((number) => !NOBODY_AND_EVERYBODY.includes(number))
}
