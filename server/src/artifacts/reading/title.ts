import { fieldTypeOf } from '../../trackers/fields/field-types.ts'
import { plainText } from '../../platform/texts/plain-text.ts'
import type { FoundArtifact } from './find-artifact.ts'

/** The title that the viewer may read, without markup; null: there is none. */
export function titleOf({ artifact, sight }: Pick<FoundArtifact, 'artifact' | 'sight'>): string | null {
  const { title } = sight.tracker.semantics
  const field = title === null ? undefined : sight.tracker.byId.get(title)
  if (!field || !sight.mayRead(field)) return null
  const stored = artifact.field_values[String(field.id)]
  if (typeof stored === 'string') return stored
  const [text] = stored === undefined ? [] : (fieldTypeOf(field).texts?.(stored) ?? [])
  return text ? plainText(text.format, text.content) : null
}
