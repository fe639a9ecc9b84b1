import type { Sight } from '../../trackers/sight.ts'
import type { Element, Tracker } from '../../trackers/tracker.ts'

/** The type of links from a parent to its children. */
export const CHILD = '_is_child'

/** The field that holds the links of artifacts of a tracker. */
export function linkFieldOf({ elements }: Pick<Tracker, 'elements'>): Element | undefined {
  return elements.find(({ type, is_used }) => type === 'art_link' && is_used)
}

/** The same, if the viewer may read it: without it artifacts show him no links. */
export function readableLinkField({ readable }: Sight): Element | undefined {
  return readable.find(({ type }) => type === 'art_link')
}
