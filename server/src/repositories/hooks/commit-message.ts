import type { ArtifactId } from '../../artifacts/artifact.ts'
import { findExisting } from '../../artifacts/find-existing.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { findReferences, type FoundReference } from '../../projects/references/find-references.ts'
import { CommitRefusal } from './commit-refusal.ts'
import type { RepositoryWithRules } from './find-commit-rules.ts'

/** The page of a referenced artifact. */
export const ARTIFACT_LINK = '/artifacts/$1'

/** The message must not be empty and, if the repository requires it, must contain a reference. */
export async function assertMessage(
  context: Context,
  { project_id, is_reference_mandatory }: RepositoryWithRules,
  committer: Viewer,
  message: string,
): Promise<void> {
  if (message.trim() === '' && !context.settings.current.svn_empty_messages) throw new CommitRefusal('empty_message')
  if (!is_reference_mandatory) return
  const found = await findReferences(context, committer, { id: project_id }, message)
  if (found.some(({ kind }) => kind.link !== ARTIFACT_LINK)) return
  if ((await findExistingArtifacts(context, committer, found)).length === 0) throw new CommitRefusal('no_reference')
}

/** Artifacts named in a message, in projects that the committer may enter. A key of several artifacts names none. */
export async function findNamedArtifacts(
  context: Context,
  { project_id }: Pick<RepositoryWithRules, 'project_id'>,
  committer: Viewer,
  message: string,
): Promise<ArtifactId[]> {
  const found = await findReferences(context, committer, { id: project_id }, message)
  return findExistingArtifacts(
    context,
    committer,
    found.filter(({ kind, isAmbiguous }) => kind.link === ARTIFACT_LINK && !isAmbiguous),
  )
}

async function findExistingArtifacts(
  context: Context,
  committer: Viewer,
  found: readonly FoundReference[],
): Promise<ArtifactId[]> {
  const ids = found.map(({ value }) => value).filter((value) => /^\d{1,15}$/.test(value))
  return findExisting(context.db, committer, ids.map(Number))
}
