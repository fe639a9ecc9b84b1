import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { Element, Tracker } from '../../trackers/tracker.ts'

/** The link type from a parent to its children. */
export const CHILD = '_is_child'

/** The link field of a tracker. */
export function linkFieldOf({ elements }: Pick<Tracker, 'elements'>): Element | undefined {
  return elements.find((element) => element.is_used && fieldTypeOf(element).holdsLinks)
}

/** The link field, if the viewer may read it; without it they see no links. */
export function readableLinkField({ readable }: TrackerAccess): Element | undefined {
  return readable.find((element) => fieldTypeOf(element).holdsLinks)
}

export interface StoredLink {
  readonly target: number
  readonly type: string
}

export function storedLinkRows(stored: unknown): StoredLink[] {
  if (typeof stored !== 'object' || stored === null) return []
  return Object.entries(stored).map(([target, type]) => ({ target: Number(target), type: String(type) }))
}
