import { type FileId, isWhole } from '../../files/file.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Cause } from '../../platform/messages/reasons.ts'
import { type AskedFile, ValueFault } from '../../trackers/field-types/field-type.ts'
import type { FieldId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import type { Lookups } from '../update-artifact/lookups.ts'
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
  /** Undefined for a new artifact. */
  readonly artifact: ArtifactId | undefined
  readonly field: FieldId
  readonly refusals: Refusals | undefined
}

/** Checks the files that a field is to have. Files that it had before may return and are not claimed again. */
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
    // Only viewers who may read the attachment learn that it exists.
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
