import { LRUCache } from 'lru-cache'
import type { Db, Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { groupsOfViewer } from '../projects/groups/groups-of-viewer.ts'
import { fieldTypeOf } from './field-types/field-types.ts'
import type { LoadedTracker } from './load-tracker.ts'
import type { Element, GroupNumber } from './tracker.ts'

/** The access of one viewer to a tracker. */
export interface TrackerAccess {
  readonly tracker: LoadedTracker
  readonly viewer: Viewer
  readonly groups: ReadonlySet<GroupNumber>
  readonly administers: boolean
  /** Used elements that the viewer may read, in form order. */
  readonly readable: readonly Element[]
  readonly mayRead: (element: Element) => boolean
  readonly maySubmit: (element: Element) => boolean
  readonly mayUpdate: (element: Element) => boolean
}

/**
 * The viewer's access to this tracker, cached. Each statement compares the stamp of the tracker, which detects revoked
 * memberships.
 */
export async function getTrackerAccess(db: Db | Tx, tracker: LoadedTracker, viewer: Viewer): Promise<TrackerAccess> {
  const key = accessKey(tracker, viewer)
  const accesses = accessCache.get(tracker) ?? createAccessCache()
  accessCache.set(tracker, accesses)
  const known = accesses.get(key)
  if (known) return { ...known, viewer }
  const access = computeAccess(tracker, viewer, await groupsOfViewer(db, viewer, tracker.project_id))
  accesses.set(key, access)
  return access
}

/** The same if it is cached. */
export function getCachedAccess(tracker: LoadedTracker, viewer: Viewer): TrackerAccess | undefined {
  return accessCache.get(tracker)?.get(accessKey(tracker, viewer))
}

function accessKey(tracker: LoadedTracker, viewer: Viewer): string {
  return `${viewer.account_id ?? ''}${viewer.is_site_admin ? '!' : ''}${viewer.is_restricted ? '?' : ''}${isOutsideKey(viewer, tracker) ? '-' : ''}`
}

/**
 * The same with every field readable, for webhooks on artifacts of their own tracker. Links, sums and references are
 * still limited by the viewer's permissions.
 */
export function withAllFields(access: TrackerAccess): TrackerAccess {
  return { ...access, mayRead: () => true, readable: access.tracker.elements.filter(({ is_used }) => is_used) }
}

/** Whether the access key of the request is limited to other projects. */
function isOutsideKey({ credential }: Viewer, { project_id }: LoadedTracker): boolean {
  return credential?.projects?.includes(project_id) === false
}

// Keyed by the loaded tracker, which is one version of the permissions: a change drops the cached accesses with it.
const accessCache = new WeakMap<LoadedTracker, LRUCache<string, TrackerAccess>>()
const MAX_CACHED_ACCESSES = 10_000

/** Limited by size, not by `max`: `max` would reserve memory for all entries, for each tracker. */
function createAccessCache(): LRUCache<string, TrackerAccess> {
  return new LRUCache({ maxSize: MAX_CACHED_ACCESSES, sizeCalculation: () => 1 })
}

function computeAccess(tracker: LoadedTracker, viewer: Viewer, groups: ReadonlySet<GroupNumber>): TrackerAccess {
  const isIn = (granted: readonly GroupNumber[]) => granted.some((group) => groups.has(group))
  const has = (element: Element, ...rights: ('read' | 'submit' | 'update')[]) => {
    if (element.rights === null) return rights.includes('read')
    if (!rights.includes('read') && !fieldTypeOf(element).isWritable) return false
    if (viewer.is_site_admin) return true
    const { rights: granted } = element
    return rights.some((right) => isIn(granted[right]))
  }
  const mayRead = (element: Element) => has(element, 'read', 'update')
  return {
    tracker,
    viewer,
    groups,
    administers: viewer.is_site_admin === true || groups.has(4) || isIn(tracker.grants.admin),
    readable: tracker.elements.filter((element) => element.is_used && mayRead(element)),
    mayRead,
    maySubmit: (element) => has(element, 'submit'),
    mayUpdate: (element) => has(element, 'update'),
  }
}
