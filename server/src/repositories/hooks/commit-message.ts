import type { ArtifactId } from '../../artifacts/artifact.ts'
import { findExisting } from '../../artifacts/find-existing.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { findReferences, type FoundReference } from '../../projects/references/find-references.ts'
import { Refusal } from './refusal.ts'
import type { RuledRepository } from './find-ruled.ts'

/** The page of what a reference to an artifact leads to. */
export const ARTIFACT_LINK = '/artifacts/$1'

/** A message says something, and, where the repository wants it, what the commit is about. */
export async function requireMessage(
  context: Context,
  { project_id, is_reference_mandatory }: RuledRepository,
  committer: Viewer,
  message: string,
): Promise<void> {
  if (message.trim() === '' && !context.settings.current.svn_empty_messages) throw new Refusal('empty_message')
  if (!is_reference_mandatory) return
  const found = await findReferences(context, committer, { id: project_id }, message)
  if (found.some(({ kind }) => kind.link !== ARTIFACT_LINK)) return
  if ((await existingIn(context, committer, found)).length === 0) throw new Refusal('no_reference')
}

/** The artifacts that a message names, in projects that the committer may enter. */
export async function findNamedArtifacts(
  context: Context,
  { project_id }: Pick<RuledRepository, 'project_id'>,
  committer: Viewer,
  message: string,
): Promise<ArtifactId[]> {
  const found = await findReferences(context, committer, { id: project_id }, message)
  return existingIn(
    context,
    committer,
    found.filter(({ kind }) => kind.link === ARTIFACT_LINK),
  )
}

async function existingIn(
  context: Context,
  committer: Viewer,
  found: readonly FoundReference[],
): Promise<ArtifactId[]> {
  const ids = found.map(({ value }) => value).filter((value) => /^\d{1,15}$/.test(value))
  return findExisting(context.db, committer, ids.map(Number))
}
