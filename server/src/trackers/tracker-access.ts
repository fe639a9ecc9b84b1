import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { aliases } from '../platform/database/aliases.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { groupsOfViewer } from '../projects/groups/groups-of-viewer.ts'
import { memberships, viewerGroups, viewerIsAdmin, viewerIsMember } from '../projects/groups/memberships.ts'
import { joinProject } from '../projects/project-sql.ts'
import { mayEnterAs } from '../projects/visibility.ts'
import { fieldTypeOf } from './field-types/field-types.ts'
import { accessVersion, type LoadedTracker } from './load-tracker.ts'
import type { Element, GroupNumber, TrackerId } from './tracker.ts'
import { hasGrant } from './visibility.ts'

declare module '../platform/operation/context.ts' {
  interface Context {
    readonly trackerVisibility: VisibilityCache
  }
}

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

/** The artifacts of a tracker that one viewer sees, as the database decided at one access version. */
export interface TrackerVisibility {
  readonly id: TrackerId
  readonly stamp: string
  /**
   * `unrestricted`: all but those that are restricted to other groups than `groups`. `partial`: it depends on who
   * submitted an artifact or is assigned to it, so that only SQL can decide.
   */
  readonly sees: 'all' | 'unrestricted' | 'partial' | 'none'
  readonly groups: readonly GroupNumber[]
  /** Shown at links; part of the same access version. */
  readonly tracker: { readonly id: TrackerId; readonly label: string; readonly color_name: string }
  readonly project: { readonly id: number; readonly label: string; readonly icon: string }
}

/** Remembers decisions. An entry is used only at the access version that it was made at, and may be evicted any time. */
interface VisibilityCache {
  /**
   * The visibility of each of these trackers for the viewer, at the access versions that a statement has read.
   * Undefined if one has changed since.
   */
  at(
    db: Db | Tx,
    viewer: Viewer,
    stamps: ReadonlyMap<TrackerId, string>,
  ): Promise<ReadonlyMap<TrackerId, TrackerVisibility> | undefined>
}

const MAX_REMEMBERED_DECISIONS = 50_000

export function createVisibilityCache(): VisibilityCache {
  const known = new LRUCache<string, TrackerVisibility>({ max: MAX_REMEMBERED_DECISIONS })
  return {
    async at(db, viewer, stamps) {
      const rights = rightsKey(viewer)
      const found = new Map<TrackerId, TrackerVisibility>()
      const missing: TrackerId[] = []
      for (const [id, stamp] of stamps) {
        const decision = known.get(`${rights} ${id}`)
        if (decision?.stamp === stamp) found.set(id, decision)
        else missing.push(id)
      }
      if (missing.length === 0) return found
      for (const decision of await decideVisibility(db, viewer, missing)) {
        known.set(`${rights} ${decision.id}`, decision)
        if (decision.stamp === stamps.get(decision.id)) found.set(decision.id, decision)
      }
      return found.size === stamps.size ? found : undefined
    },
  }
}

/** The facts about the viewer that no access version covers; the sign-in of each request reads them. */
function rightsKey({ account_id, is_site_admin, is_restricted, credential }: Viewer): string {
  return `${account_id ?? ''}${is_site_admin ? '!' : ''}${is_restricted ? '?' : ''}${credential?.projects ? `:${credential.projects.join()}` : ''}`
}

/** Decides by the same conditions as `maySeeArtifact`, with the access version of the same snapshot. */
async function decideVisibility(db: Db | Tx, viewer: Viewer, ids: readonly TrackerId[]): Promise<TrackerVisibility[]> {
  const me = aliases('tracker', 'project', 'me')
  const enters = mayEnterAs(viewer, me, viewerIsMember(me))
  const seesAll = viewer.is_site_admin
    ? sql`true`
    : sql`(${viewerIsAdmin(me)} or ${hasGrant(viewer, me, sql`granted.kind = 'admin'`)})`
  const { rows } = await sql<TrackerVisibility>`
    select tracker.id, ${accessVersion} as stamp,
      case when tracker.deleted_on is not null or not ${enters} then 'none'
        when ${seesAll} then 'all'
        when ${hasGrant(viewer, me, sql`granted.kind = 'full'`)}
          then case when tracker.restriction_field_id is null then 'all' else 'unrestricted' end
        when ${hasGrant(viewer, me, sql`true`)} then 'partial'
        else 'none' end as sees,
      ${viewerGroups(viewer, me)} as groups,
      jsonb_build_object('id', tracker.id, 'label', tracker.label, 'color_name', tracker.color_name) as tracker,
      jsonb_build_object('id', project.id, 'label', project.label, 'icon', project.icon) as project
    from tracker ${joinProject(sql`tracker.project_id`)} cross join (${memberships(viewer)}) me
    where tracker.id = any(${ids}::bigint[])`.execute(db)
  return rows
}
