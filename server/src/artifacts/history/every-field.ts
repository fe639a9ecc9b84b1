import type { ReadContext } from '../../trackers/field-types/field-type.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { Element } from '../../trackers/tracker.ts'
import type { Artifact } from '../artifact.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import { representValue, type RepresentedValue } from '../reading/represent-artifact.ts'

/**
 * The values of all readable fields in form order, empty ones included: for receivers that identify a value by its
 * index in the list.
 */
export function everyField(
  { access }: Pick<FoundArtifact, 'access'>,
  { field_values }: Pick<Artifact, 'field_values'>,
  reading: ReadContext,
): RepresentedValue[] {
  return access.readable.flatMap((element) => {
    return representValue(element, field_values[String(element.id)], reading) ?? blankValue(element, reading) ?? []
  })
}

function blankValue(element: Element, reading: ReadContext): RepresentedValue | undefined {
  const { id: field_id, type, label } = element
  const { blank } = fieldTypeOf(element)
  if (!blank) return undefined
  return 'shown' in blank ? { field_id, type, label, ...blank.shown } : representValue(element, blank.stored, reading)
}
