import { isPlanted } from '#failpoint'
import type { Db, Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { groupsOfViewer } from '../projects/groups/groups-of-viewer.ts'
import { fieldTypeOf } from './fields/field-types.ts'
import type { LoadedTracker } from './load-tracker.ts'
import type { Element, GroupNumber } from './tracker.ts'
import { ShortMemory } from '../platform/operation/short-memory.ts'

/** A tracker as one viewer may see and use it. */
export interface Sight {
  readonly tracker: LoadedTracker
  readonly viewer: Viewer
  readonly groups: ReadonlySet<GroupNumber>
  readonly administers: boolean
  /** Elements in use that the viewer may read, in the order of the form. */
  readonly readable: readonly Element[]
  readonly mayRead: (element: Element) => boolean
  readonly maySubmit: (element: Element) => boolean
  readonly mayUpdate: (element: Element) => boolean
}

/**
 * What the viewer may see and do in this tracker, from memory where it has it: whoever uses it compares the stamp of the
 * tracker in each statement, so a membership that has ended is noticed there.
 */
export async function sightOf(db: Db | Tx, tracker: LoadedTracker, viewer: Viewer): Promise<Sight> {
  const key = `${viewer.account_id ?? ''}${viewer.is_site_admin ? '!' : ''}${viewer.is_restricted ? '?' : ''}`
  const sights = memory.get(tracker) ?? new ShortMemory<string, Sight>(MOST)
  memory.set(tracker, sights)
  const known = sights.get(key)
  if (known) return { ...known, viewer }
  const sight = look(tracker, viewer, await groupsOfViewer(db, viewer, tracker.project_id))
  sights.set(key, sight)
  return sight
}

// A loaded tracker is one state of its rights: when that changes, what was known of it goes with it.
const memory = new WeakMap<LoadedTracker, Map<string, Sight>>()
const MOST = 10_000

function look(tracker: LoadedTracker, viewer: Viewer, groups: ReadonlySet<GroupNumber>): Sight {
  const isIn = (granted: readonly GroupNumber[]) => granted.some((group) => groups.has(group))
  const has = (element: Element, ...rights: ('read' | 'submit' | 'update')[]) => {
    if (element.rights === null) return rights.includes('read')
    if (!rights.includes('read') && !fieldTypeOf(element).isWritable) return false
    if (viewer.is_site_admin) return true
    const { rights: granted } = element
    return rights.some((right) => isIn(granted[right]))
  }
  const leaks = isPlanted('leaked-field')
  const mayRead = (element: Element) => leaks || has(element, 'read', 'update')
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
