import { Type } from 'typebox'
import { splitCell } from '../../../platform/wire/csv.ts'
import { isRecord } from '../../../platform/wire/schema-shape.ts'
import { xmlElement } from '../../../platform/wire/xml-element.ts'
import { findAskedGroup, representGroups, showGroup, unknownGroup } from '../../binds/groups-bind.ts'
import { groupsOfProject } from '../../binds/every-group.ts'
import { isSameSet, storedIds } from '../../binds/stored-ids.ts'
import { type FieldType, ValueFault, type WriteItem, type FieldWriteContext } from '../field-type.ts'
import { NO_PROPERTIES } from '../properties.ts'
import type { GroupNumber } from '../../tracker.ts'

const PROJECT_ADMINS = 4
const SVN_ADMINS = 19

/** The groups that may see an artifact, stored as group numbers; null if the artifact is not restricted. */
export const artifactPermissionsField: FieldType = {
  type: 'perm',
  kind: 'field',
  schemaName: 'ArtifactPermissions',
  properties: NO_PROPERTIES,
  isSingle: true,
  controlsVisibility: true,
  hasDefaultGroups: true,
  isWritable: true,
  canBeRequired: true,

  /** The group numbers that restrict new artifacts; empty: no restriction. */
  readDefault(given) {
    if (given === undefined || given === null) return null
    const groups = storedIds(given)
    if (!Array.isArray(given) || groups.length < given.length)
      throw new ValueFault('value_invalid', { path: 'default', rule: 'type', cause: 'not_an_array' })
    return groups.length === 0 ? null : groups
  },
  writeDefault: ({ default: initial }) => initial,
  describe({ default: initial }, describing) {
    const is_used_by_default = Array.isArray(initial)
    const offered = groupsOfProject(describing).filter((group) => group !== SVN_ADMINS)
    return {
      values: {
        is_used_by_default,
        ugroup_representations: representGroups(is_used_by_default ? storedIds(initial) : offered, describing),
      },
    }
  },

  read(stored, _, reading) {
    if (stored === undefined) return undefined
    const shown = storedIds(stored).flatMap((group) => showGroup(group, reading))
    return { granted_groups: shown.map(({ label }) => label), granted_groups_ids: shown.map(({ id }) => id) }
  },
  blank: { stored: [] },
  readSchema: { granted_groups: Type.Array(Type.String()), granted_groups_ids: Type.Array(Type.String()) },

  writeSchema: {
    value: Type.Object({
      granted_groups: Type.Optional(Type.Array(Type.String(), { description: 'Ids of groups.' })),
      is_used_by_default: Type.Optional(Type.Boolean({ description: 'False: the artifact is not restricted.' })),
    }),
  },
  async write(item, _, writing) {
    const groups = grantedGroups(item, writing)
    if (groups && !maySeeAfter(groups, writing))
      throw new ValueFault('value_not_allowed', { path: 'value.granted_groups', cause: 'perm_locks_out_caller' })
    return groups
  },
  async defaultFor({ default: initial }) {
    return Array.isArray(initial) ? initial : undefined
  },
  isEmpty: (stored) => !Array.isArray(stored),
  isSame: isSameRestriction,
  flat: (stored, _, reading) => storedIds(stored).flatMap((group) => showGroup(group, reading).map(({ flat }) => flat)),
  // An empty cell never opens a restricted artifact: its groups may be deleted, and so absent from the cell.
  fromCell: (text) => (text === '' ? undefined : { value: { granted_groups: splitCell(text) } }),
  migrate(stored, _, to, migrating) {
    if (to.type !== 'perm' || !Array.isArray(stored)) return undefined
    const there = storedIds(stored).map((group) => migrating.groupThere(group))
    const groups = there.filter((group) => group !== undefined)
    // A restriction stays even if none of its groups exists in the target.
    return { value: groups.length === 0 ? [PROJECT_ADMINS] : groups, isPartial: there.includes(undefined) }
  },
  archive: (stored, _, { groupName }) => ({
    attributes: { type: 'permissions_on_artifact', use_perm: Array.isArray(stored) ? 1 : 0 },
    content: storedIds(stored).map((group) => xmlElement('ugroup', { ugroup_name: groupName(group) })),
  }),
}

function isSameRestriction(stored: unknown, given: unknown): boolean {
  return Array.isArray(stored) === Array.isArray(given) && isSameSet(storedIds(stored), storedIds(given))
}

function grantedGroups({ value, byName }: WriteItem, writing: FieldWriteContext): GroupNumber[] | null {
  const { granted_groups, is_used_by_default } = isRecord(value) ? value : {}
  if (isOff(is_used_by_default)) return null
  if (granted_groups === undefined && is_used_by_default === undefined)
    throw new ValueFault('value_invalid', { path: 'value', rule: 'required', cause: 'value_missing' })
  const path = 'value.granted_groups'
  const given: unknown = granted_groups ?? []
  if (!Array.isArray(given)) throw new ValueFault('value_invalid', { path, rule: 'type', cause: 'not_an_array' })
  const groups = given.map((id: unknown, index) => {
    const found = findAskedGroup({ path, id, ...(byName && typeof id === 'string' && { name: id }) }, writing)
    if (found === undefined) throw unknownGroup(`${path}[${index}]`)
    return found
  })
  if (groups.length === 0)
    throw new ValueFault('value_not_allowed', { path, rule: 'min_length', cause: 'perm_groups_missing' })
  return [...new Set(groups)]
}

// XML sends booleans as text.
function isOff(given: unknown): boolean {
  return given === false || given === 0 || given === 'false' || given === '0'
}

/** Prevents callers from locking themselves out; administrators keep access in any case. */
function maySeeAfter(
  groups: readonly GroupNumber[],
  { administers, viewerGroups, stored }: FieldWriteContext,
): boolean {
  return administers || groups.some((group) => viewerGroups.has(group)) || isSameRestriction(stored, groups)
}
