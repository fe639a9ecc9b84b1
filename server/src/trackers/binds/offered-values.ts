import { english } from '../../platform/messages/english.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { DYNAMIC_GROUPS } from '../../projects/groups/user-group-id.ts'
import { fieldTypeOf } from '../field-types/field-types.ts'
import type { OfferedValue } from '../field-types/field-type.ts'
import { groupIn } from '../groups-of-tracker.ts'
import type { LoadedTracker } from '../load-tracker.ts'
import type { Element, GroupNumber } from '../tracker.ts'
import { populationOf } from './population.ts'

/**
 * The values that a field offers to the viewer, by the names that writes accept: labels, logins, short names of groups.
 * Registered users are never listed in full.
 */
export async function listOfferedValues(
  context: Pick<Context, 'artifactPeople' | 'sharesProject' | 'settings' | 'config'>,
  db: Db | Tx,
  viewer: Viewer,
  tracker: LoadedTracker,
  element: Element,
): Promise<readonly OfferedValue[]> {
  const { bind } = element
  if (bind?.type === 'static')
    return bind.values.flatMap(({ id, label, is_hidden }) => (is_hidden ? [] : [{ id, label }]))
  if (bind?.type === 'users') {
    const people = await populationOf(context, db, viewer, tracker, element)
    return people.flatMap(({ id, username }) => (id === null || username === null ? [] : [{ id, label: username }]))
  }
  const offered = bind && fieldTypeOf(element).list !== 'open' ? bind.values.flatMap(offeredGroup) : undefined
  return (offered ?? [...DYNAMIC_GROUPS, ...tracker.project.groups.keys()]).flatMap((number) => {
    const group = groupIn(tracker, number, english)
    return group ? [{ id: group.id, label: group.short_name }] : []
  })
}

function offeredGroup({ group, is_hidden }: { group: GroupNumber; is_hidden: boolean }): GroupNumber[] {
  return is_hidden ? [] : [group]
}
