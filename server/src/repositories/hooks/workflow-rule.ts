import { fold } from '../../accounts/login.ts'
import type { ArtifactId } from '../../artifacts/artifact.ts'
import { findArtifact, type FoundArtifact } from '../../artifacts/reading/find-artifact.ts'
import { readableStatus } from '../../artifacts/reading/represent-artifact.ts'
import { decideVersion } from '../../artifacts/update-artifact/decide.ts'
import { requireChangeable } from '../../artifacts/update-artifact/load.ts'
import type { ArtifactValues } from '../../artifacts/update-artifact/schemas.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { selectCatalogue, errorMessage } from '../../platform/messages/catalogue.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { findNamedArtifacts } from './commit-message.ts'
import type { RepositoryWithRules } from './find-commit-rules.ts'
import { CommitRefusal } from './commit-refusal.ts'

const MAX_CHECKED_ARTIFACTS = 20
/** For trackers that require If-Match: a commit applies to any version of the artifact. */
export const IF_MATCH_ANY = { 'if-match': '*' }

/** The author under which a commit changes artifacts. */
export function createCommitAuthor(context: Context, db: Db | Tx, viewer: Viewer) {
  const language = selectCatalogue([viewer.language, context.settings.current.language])
  return { context, db, viewer, language, now: context.clock.now() }
}

/**
 * For repositories tied to the workflow: the message must name an artifact in a required state that is visible to the
 * committer. Returns the artifacts to move; the committer may move each of them now.
 */
export async function assertRequiredStates(
  context: Context,
  repository: RepositoryWithRules,
  committer: Viewer,
  message: string,
): Promise<ArtifactId[]> {
  const { required_states, moves_to } = repository
  if (required_states.length === 0) return []
  const states = required_states.join(', ')
  const ids = await findNamedArtifacts(context, repository, committer, message)
  const seen = await Promise.all(
    ids.slice(0, MAX_CHECKED_ARTIFACTS).map((id) => findVisibleArtifact(context, committer, id)),
  )
  const named = seen.flatMap((found) =>
    found ? { found, name: artifactName(found), state: readableStatus(found)?.label } : [],
  )
  if (named.length === 0) throw new CommitRefusal('no_artifact', { states })
  const wanted = new Set(required_states.map(fold))
  const fitting = named.filter(({ state }) => state !== undefined && wanted.has(fold(state)))
  if (fitting.length === 0) {
    const found = named.map(({ name, state }) => `${name}: ${state ?? '-'}`).join(', ')
    throw new CommitRefusal('state', { states, found })
  }
  if (moves_to === null) return []
  const moving = fitting.filter(({ state }) => state !== undefined && fold(state) !== fold(moves_to))
  for (const { found, name } of moving)
    await assertMoveAllowed(context, committer, found, { name, state: moves_to, repository })
  return moving.map(({ found }) => found.artifact.id)
}

/** The change of a move; undefined if there is no such state. The comment gives the reason and the revision. */
export function buildStateChange(
  { access }: FoundArtifact,
  state: string,
  reference: string,
): ArtifactValues | undefined {
  const { status } = access.tracker.semantics
  const field = status && access.tracker.byId.get(status.field_id)
  if (!field || field.bind?.type !== 'static') return undefined
  const value = field.bind.values.find(({ label, is_hidden }) => !is_hidden && fold(label) === fold(state))
  if (!value) return undefined
  return {
    values: [{ field_id: field.id, bind_value_ids: [value.id] }],
    comment: { body: reference, format: 'text' },
  }
}

async function assertMoveAllowed(
  context: Context,
  committer: Viewer,
  found: FoundArtifact,
  { name, state, repository }: { name: string; state: string; repository: RepositoryWithRules },
): Promise<void> {
  const move = buildStateChange(found, state, `svn #${repository.name}/0`)
  if (!move) throw new CommitRefusal('no_such_state', { name, state })
  const author = createCommitAuthor(context, context.db, committer)
  try {
    requireChangeable(found, IF_MATCH_ANY)
    await decideVersion(author, { access: found.access, found }, move)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const problems = error.details?.all ?? [{ ...error.details, reason: error.reason }]
    const why = problems.map((each) => errorMessage(author.language, each.reason, each)).join(' ')
    const allowed = problems.flatMap(allowedLabels).join(', ')
    throw new CommitRefusal(allowed === '' ? 'move' : 'move_elsewhere', { name, state, why, allowed })
  }
}

function allowedLabels({ allowed }: { readonly allowed?: unknown }): string[] {
  if (!Array.isArray(allowed)) return []
  return allowed.flatMap((each: unknown) =>
    typeof each === 'object' && each !== null && 'label' in each && typeof each.label === 'string' ? each.label : [],
  )
}

/** Undefined if the artifact is absent or hidden from the committer. */
async function findVisibleArtifact(
  context: Context,
  viewer: Viewer,
  id: ArtifactId,
): Promise<FoundArtifact | undefined> {
  return findArtifact(context, context.db, viewer, id).catch((error: unknown) => {
    if (error instanceof ApiError) return undefined
    throw error
  })
}

function artifactName({ artifact, access }: FoundArtifact): string {
  return `${access.tracker.item_name} #${artifact.id}`
}
