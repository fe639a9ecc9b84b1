import type { Reading } from '../../trackers/fields/field-type.ts'
import type { Element } from '../../trackers/tracker.ts'
import type { Artifact } from '../artifact.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import { readValue, type Value } from '../reading/represent-artifact.ts'

/** What a field holds that somebody has emptied. */
const BLANK: Partial<Record<string, unknown>> = {
  string: '',
  text: { format: 'text', content: '' },
  int: null,
  float: null,
  date: null,
  sb: [],
  msb: [],
  rb: [],
  cb: [],
  tbl: [],
  file: [],
  perm: [],
}

/**
 * The values of every field that may be read, in the order of the form, whether or not it has one: for receivers that know
 * a value by its place in the list.
 */
export function everyField(
  { sight }: Pick<FoundArtifact, 'sight'>,
  { field_values }: Pick<Artifact, 'field_values'>,
  reading: Reading,
): Value[] {
  return sight.readable.flatMap((element) => {
    return readValue(element, field_values[String(element.id)], reading) ?? blankValue(element, reading) ?? []
  })
}

/** The same for what is made, and not held. */
const MADE_OF_NOTHING: Partial<Record<string, object>> = {
  cross: { value: [] },
  computed: { is_autocomputed: true, value: null, manual_value: null },
}

function blankValue(element: Element, reading: Reading): Value | undefined {
  const { id: field_id, type, label } = element
  const made = MADE_OF_NOTHING[type]
  if (made) return { field_id, type, label, ...made }
  return type in BLANK ? readValue(element, BLANK[type], reading) : undefined
}
