import type { Asking } from '../search/field-search.ts'
import type { Element } from '../tracker.ts'
import { bindOf } from './bind-of.ts'
import { everyGroup } from './every-group.ts'

/** What the values of a list are called, for whoever has mistyped one. Those of people, and what was added, are too many. */
export function labelsOf(element: Element, asking: Asking): readonly string[] {
  if (!element.bind) return []
  const isOfGroups = element.type === 'tbl' && element.bind.type === 'ugroups'
  return (isOfGroups ? everyGroup : bindOf(element)).search.names(asking)
}
