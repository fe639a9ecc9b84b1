import { fieldTypeOf } from '../field-types/field-types.ts'
import type { SearchContext } from '../search/field-search.ts'
import type { Element } from '../tracker.ts'
import { bindOf } from './bind-of.ts'
import { everyGroup } from './every-group.ts'

/**
 * The labels of a list, for suggestions after a typo. Lists of people and added values are too long and are omitted.
 */
export function labelsOf(element: Element, asking: SearchContext): readonly string[] {
  if (!element.bind) return []
  const isOfGroups = fieldTypeOf(element).list === 'open' && element.bind.type === 'ugroups'
  return (isOfGroups ? everyGroup : bindOf(element)).search.names(asking)
}
