import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { getTrackerAccess, type TrackerAccess } from '../../trackers/tracker-access.ts'
import type { AccessKind } from '../../trackers/tracker.ts'
import type { StampedTracker } from './row-versions.ts'

/** Grants that depend on the account and on the people of an artifact, and not only on groups. */
const PARTIAL_KINDS: readonly AccessKind[] = ['submitted_by_user', 'submitted_by_group', 'assigned_to_group']

/**
 * The rights of the viewer in a tracker as a text. Viewers with equal texts see the same artifacts, fields and comments
 * of it. Undefined if a grant of theirs depends on more than their groups.
 */
export function describeRights(access: TrackerAccess, viewer: Viewer): string | undefined {
  const { tracker, groups, administers } = access
  const isGranted = (kind: AccessKind) => tracker.grants[kind].some((group) => groups.has(group))
  if (!administers && !isGranted('full') && PARTIAL_KINDS.some(isGranted)) return undefined
  const { account_id, is_site_admin, is_restricted } = viewer
  const flags = `${account_id === undefined ? 'anonymous' : 'account'}${is_site_admin ? '!' : ''}${is_restricted ? '?' : ''}`
  return `${flags} ${tracker.project_id}:${[...groups].toSorted((one, other) => one - other).join()}`
}

/**
 * The same in several trackers, in these access versions; undefined also if one of them has changed meanwhile. Equal
 * texts for equal trackers: the viewers see the same ends of links and references.
 */
export async function describeRightsIn(
  { context, viewer }: { readonly context: Context; readonly viewer: Viewer },
  trackers: readonly StampedTracker[],
): Promise<string | undefined> {
  const parts = new Set<string>()
  for (const { id, stamp } of trackers) {
    const tracker = await context.trackers.at(context.db, id, stamp)
    if (tracker?.stamp !== stamp) return undefined
    const rights = describeRights(await getTrackerAccess(context.db, tracker, viewer), viewer)
    if (rights === undefined) return undefined
    parts.add(rights)
  }
  return [...parts].join(' ')
}
