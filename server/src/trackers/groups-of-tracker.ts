import type { Catalogue } from '../platform/messages/catalogue.ts'
import {
  representDynamicGroup,
  representStaticGroup,
  representSystemGroup,
  type UserGroupOfProject,
} from '../projects/groups/user-group.ts'
import { DYNAMIC_GROUPS, SYSTEM_GROUPS } from '../projects/groups/user-group-id.ts'
import type { LoadedTracker } from './load-tracker.ts'
import type { GroupOfTracker } from './schemas.ts'
import type { GroupNumber } from './tracker.ts'

/** A group as responses show it; undefined if it was deleted. */
export function groupIn(
  { project }: Pick<LoadedTracker, 'project'>,
  number: GroupNumber,
  language: Catalogue,
): UserGroupOfProject | undefined {
  const system = SYSTEM_GROUPS.find((each) => each === number)
  if (system) return representSystemGroup(system, language)
  const dynamic = DYNAMIC_GROUPS.find((each) => each === number)
  if (dynamic) return representDynamicGroup(dynamic, project, language)
  const own = project.groups.get(number)
  return own && representStaticGroup(own)
}

/** The members of a group that trackers show. */
export function groupOfTracker({ id, uri, label, users_uri, short_name, key }: UserGroupOfProject): GroupOfTracker {
  return { id, uri, label, users_uri, short_name, key }
}
