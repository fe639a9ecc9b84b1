import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import { toPlainText } from '../../platform/rich-text/plain-text.ts'
import type { FoundArtifact } from './find-artifact.ts'

/** The title without markup, if the viewer may read it; null if there is none. */
export function readableTitle({ artifact, access }: Pick<FoundArtifact, 'artifact' | 'access'>): string | null {
  const { title } = access.tracker.semantics
  const field = title === null ? undefined : access.tracker.byId.get(title)
  if (!field || !access.mayRead(field)) return null
  const stored = artifact.field_values[String(field.id)]
  if (typeof stored === 'string') return stored
  const [text] = stored === undefined ? [] : (fieldTypeOf(field).texts?.(stored) ?? [])
  return text ? toPlainText(text.format, text.content) : null
}
