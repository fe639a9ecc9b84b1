import type { Reading } from '../../trackers/fields/field-type.ts'
import { fieldTypeOf } from '../../trackers/fields/field-types.ts'
import type { FoundArtifact } from './find-artifact.ts'

export const OUTPUT_FORMATS = ['nested', 'flat', 'flat_with_semicolon_string_array'] as const
export type FlatFormat = Exclude<(typeof OUTPUT_FORMATS)[number], 'nested'>

/** What an artifact holds in plain words: by the name of each field that the viewer may read, a scalar or labels. */
export function flatValues(
  { sight, artifact }: Pick<FoundArtifact, 'sight' | 'artifact'>,
  reading: Reading,
  format: FlatFormat,
): Record<string, unknown> {
  return Object.fromEntries(
    sight.readable.flatMap((element) => {
      const type = fieldTypeOf(element)
      if (type.kind !== 'field' || !type.flat) return []
      const value = type.flat(artifact.field_values[String(element.id)], element, reading)
      const joins = format === 'flat_with_semicolon_string_array' && Array.isArray(value)
      return [[element.name, joins ? value.join(';') : value]]
    }),
  )
}
