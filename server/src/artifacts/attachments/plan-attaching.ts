import { type FileId, isWhole } from '../../files/file.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Cause } from '../../platform/words/reasons.ts'
import { type AskedFile, ValueFault } from '../../trackers/fields/field-type.ts'
import type { FieldId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import type { Lookups } from '../writing/lookups.ts'
import type { NamedFile } from './find-named-files.ts'
import { hasExpired, isOwn } from './find-readable-file.ts'
import type { Refusals } from './seal-named-files.ts'

/** A file that becomes an attachment with the version. */
export interface NewAttachment {
  readonly file: FileId
  readonly field: FieldId
}

interface Planning {
  readonly lookups: Lookups
  readonly viewer: Viewer
  readonly now: Date
  /** Undefined: it is made now. */
  readonly artifact: ArtifactId | undefined
  readonly field: FieldId
  readonly refusals: Refusals | undefined
}

/** Checks files that a field is to have from now on. What it had before it may have again, and is not taken anew. */
export async function planAttaching(
  planning: Planning,
  asked: readonly AskedFile[],
): Promise<readonly NewAttachment[]> {
  const { lookups, artifact, field } = planning
  const files = await lookups.findFiles(asked.map(({ id }) => id))
  return asked.flatMap(({ id, path }) => {
    const named = files.get(id)
    if (!named) throw unknown(path)
    const { attachment } = named
    if (!attachment) {
      requireFree(planning, named, path)
      return [{ file: id, field }]
    }
    if (attachment.artifact_id === artifact && attachment.field_id === field) return []
    // Where it is attached is told only to those who can see it there.
    throw attachment.isReadable ? refused('file_already_attached', path) : unknown(path)
  })
}

function requireFree({ viewer, now, field, refusals }: Planning, { file }: NamedFile, path: string): void {
  if (file.is_attached || !isOwn(viewer, file) || hasExpired(file, now)) throw unknown(path)
  if (file.field_id !== null && file.field_id !== field) throw refused('file_of_another_field', path)
  if (!isWhole(file)) throw refused('file_incomplete', path)
  if (refusals?.has(file.id)) throw new ValueFault('rule_violated', { path, cause: 'file_refused' })
}

function unknown(path: string): ValueFault {
  return new ValueFault('not_found', { path, rule: 'exists', cause: 'file_not_found' })
}

function refused(cause: Cause, path: string): ValueFault {
  return new ValueFault('value_not_allowed', { path, cause })
}
