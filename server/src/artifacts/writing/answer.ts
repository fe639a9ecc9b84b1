import { ApiError } from '../../platform/words/errors.ts'
import type { Artifact } from '../artifact.ts'
import { findArtifact, findRegardless, type FoundArtifact } from '../reading/find-artifact.ts'
import type { Audience } from '../reading/reading.ts'
import type { Draft, Target } from './draft-version.ts'

/**
 * What a write answers with: the artifact as its author sees it now. One who has hidden it from himself by this very
 * write, or has just lost it, still gets what he was allowed to write.
 */
export async function findWritten(
  audience: Audience,
  { sight, found }: Target,
  after: Artifact,
  draft?: Draft,
): Promise<FoundArtifact> {
  const { context, db, viewer } = audience
  if (found && draft && staysWhereItIs(found, draft)) return { ...found, artifact: after }
  try {
    return await findArtifact(context, db, viewer, after.id)
  } catch (error) {
    const isHidden = error instanceof ApiError && error.status === 404
    const written = isHidden ? await findRegardless(db, sight, after.id) : undefined
    if (!written) throw error
    return { ...written, artifact: after }
  }
}

/** Numbers, dates and plain lists decide neither who sees an artifact nor what it is shown with: nothing is read again. */
function staysWhereItIs({ sight: { tracker } }: FoundArtifact, draft: Draft): boolean {
  if (draft.reverse.length > 0 || draft.comment) return false
  return [...draft.changes.keys()].every((id) => {
    const element = tracker.byId.get(id)
    return element !== undefined && PLAIN.has(element.type) && element.bind?.type !== 'users'
  })
}

const PLAIN: ReadonlySet<string> = new Set(['int', 'float', 'date', 'sb', 'rb', 'msb', 'cb', 'computed', 'file'])
