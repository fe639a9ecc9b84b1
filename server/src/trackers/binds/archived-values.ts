import { xmlElement, type XmlElement } from '../../platform/wire/xml-element.ts'
import type { Archiving } from '../fields/field-type.ts'
import type { Element } from '../tracker.ts'

/** Values of a list by their ids; those of trackers and groups also by what they are called, people never. */
export function archivedValues(ids: readonly number[], element: Element, archiving: Archiving): XmlElement[] {
  return ids.map((id) => xmlElement('value', { format: 'id', label: labelOf(id, element, archiving) }, id))
}

function labelOf(id: number, { bind, type }: Element, { groupName }: Archiving): string | undefined {
  if (bind?.type === 'static') return bind.values.find((each) => each.id === id)?.label
  if (bind?.type !== 'ugroups') return undefined
  // An open list keeps the groups themselves.
  const group = type === 'tbl' ? id : bind.values.find((each) => each.id === id)?.group
  return group === undefined ? undefined : groupName(group)
}
