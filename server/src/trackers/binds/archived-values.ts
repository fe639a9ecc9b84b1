import { xmlElement, type XmlElement } from '../../platform/wire/xml-element.ts'
import type { Archiving } from '../field-types/field-type.ts'
import type { Element } from '../tracker.ts'

/** List values by id. Static values and groups also carry their name; people never do. */
export function archivedValues(
  ids: readonly number[],
  { bind }: Element,
  { groupName }: Archiving,
  /** The group of a stored number, in lists of groups. */
  groupOf = (id: number) => (bind?.type === 'ugroups' ? bind.values.find((each) => each.id === id)?.group : undefined),
): XmlElement[] {
  const labelOf = (id: number) => {
    if (bind?.type === 'static') return bind.values.find((each) => each.id === id)?.label
    const group = bind?.type === 'ugroups' ? groupOf(id) : undefined
    return group === undefined ? undefined : groupName(group)
  }
  return ids.map((id) => xmlElement('value', { format: 'id', label: labelOf(id) }, id))
}
