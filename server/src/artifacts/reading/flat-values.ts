import type { ReadContext } from '../../trackers/field-types/field-type.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { FoundArtifact } from './find-artifact.ts'

export const OUTPUT_FORMATS = ['nested', 'flat', 'flat_with_semicolon_string_array'] as const
export type FlatFormat = Exclude<(typeof OUTPUT_FORMATS)[number], 'nested'>

/** Values by field name for fields that the viewer may read: a scalar or labels. */
export function flatValues(
  { access, artifact }: Pick<FoundArtifact, 'access' | 'artifact'>,
  reading: ReadContext,
  format: FlatFormat,
): Record<string, unknown> {
  return Object.fromEntries(
    access.readable.flatMap((element) => {
      const type = fieldTypeOf(element)
      if (type.kind !== 'field' || !type.flat) return []
      const value = type.flat(artifact.field_values[String(element.id)], element, reading)
      const joins = format === 'flat_with_semicolon_string_array' && Array.isArray(value)
      return [[element.name, joins ? value.join(';') : value]]
    }),
  )
}
