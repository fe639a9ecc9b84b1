import { isId } from '../../platform/database/ids.ts'
import { ApiError } from '../../platform/words/errors.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { Element } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { findArtifact } from '../reading/find-artifact.ts'
import { titleOf } from '../reading/title.ts'
import { type Author, type Draft, draftVersion } from './draft-version.ts'
import type { ArtifactValues } from './schemas.ts'

/** A new artifact that takes the title of another one, and nothing else; no rule is checked. */
export async function draftFromTitle(
  author: Author,
  sight: Sight,
  id: number,
  comment: ArtifactValues['comment'],
): Promise<Draft> {
  const title = await findTitle(author, id)
  const field = titleField(sight)
  if (title === null || title === '' || !field) throw new ApiError('rule_violated', { cause: 'title_missing' })
  const value = field.type === 'text' ? { format: 'text', content: title } : title.replaceAll(/[\r\n]+/g, ' ')
  const values = [{ field_id: field.id, value }]
  return draftVersion(author, { sight, found: undefined }, { values, comment: comment ?? null }, { isFree: true })
}

async function findTitle({ context, db, viewer }: Author, id: number): Promise<string | null> {
  const unknown = new ApiError('reference_unknown', { path: 'from_artifact.id', rule: 'exists' })
  if (!isId<ArtifactId>(id)) throw unknown
  const source = await findArtifact(context, db, viewer, id).catch((error: unknown) => {
    throw error instanceof ApiError && error.status === 404 ? unknown : error
  })
  return titleOf(source)
}

/** One that he may not know of is not there for him. */
function titleField({ tracker, mayRead, maySubmit }: Sight): Element | undefined {
  const field = tracker.semantics.title === null ? undefined : tracker.byId.get(tracker.semantics.title)
  return field?.is_used && (mayRead(field) || maySubmit(field)) ? field : undefined
}
