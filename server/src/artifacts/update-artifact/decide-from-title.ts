import { isId } from '../../platform/database/ids.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { Element } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { findArtifact } from '../reading/find-artifact.ts'
import { readableTitle } from '../reading/title.ts'
import { decideVersion } from './decide.ts'
import type { ArtifactValues } from './schemas.ts'
import type { Author, VersionDraft } from './version-draft.ts'

/** A new artifact with only the title of another one; no rule is checked. */
export async function decideFromTitle(
  author: Author,
  access: TrackerAccess,
  id: number,
  comment: ArtifactValues['comment'],
): Promise<VersionDraft> {
  const title = await findTitle(author, id)
  const field = titleField(access)
  if (title === null || title === '' || !field) throw new ApiError('rule_violated', { cause: 'title_missing' })
  const value = fieldTypeOf(field).fromPlainText?.(title)
  const values = [{ field_id: field.id, value }]
  return decideVersion(author, { access, found: undefined }, { values, comment: comment ?? null }, { isFree: true })
}

async function findTitle({ context, db, viewer }: Author, id: number): Promise<string | null> {
  const unknown = new ApiError('reference_unknown', { path: 'from_artifact.id', rule: 'exists' })
  if (!isId<ArtifactId>(id)) throw unknown
  const source = await findArtifact(context, db, viewer, id).catch((error: unknown) => {
    throw error instanceof ApiError && error.status === 404 ? unknown : error
  })
  return readableTitle(source)
}

/** An unknown field for callers who may neither read nor submit it. */
function titleField({ tracker, mayRead, maySubmit }: TrackerAccess): Element | undefined {
  const field = tracker.semantics.title === null ? undefined : tracker.byId.get(tracker.semantics.title)
  return field?.is_used && (mayRead(field) || maySubmit(field)) ? field : undefined
}
