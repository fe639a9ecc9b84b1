import { fold } from '../../accounts/login.ts'
import type { ArtifactId } from '../../artifacts/artifact.ts'
import { findArtifact, type FoundArtifact } from '../../artifacts/reading/find-artifact.ts'
import { statusOf } from '../../artifacts/reading/represent-artifact.ts'
import { draftChange } from '../../artifacts/update-artifact.ts'
import type { ArtifactValues } from '../../artifacts/writing/schemas.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { catalogueFor, say } from '../../platform/words/catalogue.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { findNamedArtifacts } from './commit-message.ts'
import type { RuledRepository } from './find-ruled.ts'
import { Refusal } from './refusal.ts'

const MOST_LOOKED_AT = 20
/** Of a tracker where nobody writes blindly: whoever commits means the artifact as it is. */
export const AS_IT_IS = { 'if-match': '*' }

/** Who writes on behalf of a commit. */
export function authorOf(context: Context, db: Db | Tx, viewer: Viewer) {
  const language = catalogueFor([viewer.language, context.settings.current.language])
  return { context, db, viewer, language, now: context.clock.now() }
}

/**
 * Where commits are tied to the workflow: the message names an artifact that is in one of the wanted states, as far as the
 * committer may see it. Returns those that the commit will move; each could be moved by him right now.
 */
export async function requireStates(
  context: Context,
  repository: RuledRepository,
  committer: Viewer,
  message: string,
): Promise<ArtifactId[]> {
  const { required_states, moves_to } = repository
  if (required_states.length === 0) return []
  const states = required_states.join(', ')
  const ids = await findNamedArtifacts(context, repository, committer, message)
  const seen = await Promise.all(ids.slice(0, MOST_LOOKED_AT).map((id) => look(context, committer, id)))
  const named = seen.flatMap((found) => (found ? { found, name: nameOf(found), state: statusOf(found)?.label } : []))
  if (named.length === 0) throw new Refusal('no_artifact', { states })
  const wanted = new Set(required_states.map(fold))
  const fitting = named.filter(({ state }) => state !== undefined && wanted.has(fold(state)))
  if (fitting.length === 0) {
    const found = named.map(({ name, state }) => `${name}: ${state ?? '-'}`).join(', ')
    throw new Refusal('state', { states, found })
  }
  if (moves_to === null) return []
  const moving = fitting.filter(({ state }) => state !== undefined && fold(state) !== fold(moves_to))
  for (const { found, name } of moving)
    await requireMove(context, committer, found, { name, state: moves_to, repository })
  return moving.map(({ found }) => found.artifact.id)
}

/** What a move writes; undefined: there is no such state. The comment says why, and names the revision. */
export function moveOf({ sight }: FoundArtifact, state: string, reference: string): ArtifactValues | undefined {
  const { status } = sight.tracker.semantics
  const field = status && sight.tracker.byId.get(status.field_id)
  if (!field || field.bind?.type !== 'static') return undefined
  const value = field.bind.values.find(({ label, is_hidden }) => !is_hidden && fold(label) === fold(state))
  if (!value) return undefined
  return {
    values: [{ field_id: field.id, bind_value_ids: [value.id] }],
    comment: { body: reference, format: 'text' },
  }
}

async function requireMove(
  context: Context,
  committer: Viewer,
  found: FoundArtifact,
  { name, state, repository }: { name: string; state: string; repository: RuledRepository },
): Promise<void> {
  const move = moveOf(found, state, `svn #${repository.name}/0`)
  if (!move) throw new Refusal('no_such_state', { name, state })
  const author = authorOf(context, context.db, committer)
  try {
    await draftChange(author, found, move, AS_IT_IS)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const problems = error.details?.all ?? [{ ...error.details, reason: error.reason }]
    const why = problems.map((each) => say(author.language, each.reason, each)).join(' ')
    const allowed = problems.flatMap(allowedIn).join(', ')
    throw new Refusal(allowed === '' ? 'move' : 'move_elsewhere', { name, state, why, allowed })
  }
}

function allowedIn({ allowed }: { readonly allowed?: unknown }): string[] {
  if (!Array.isArray(allowed)) return []
  return allowed.flatMap((each: unknown) =>
    typeof each === 'object' && each !== null && 'label' in each && typeof each.label === 'string' ? each.label : [],
  )
}

/** Undefined: it is not there, for him. */
async function look(context: Context, viewer: Viewer, id: ArtifactId): Promise<FoundArtifact | undefined> {
  return findArtifact(context, context.db, viewer, id).catch((error: unknown) => {
    if (error instanceof ApiError) return undefined
    throw error
  })
}

function nameOf({ artifact, sight }: FoundArtifact): string {
  return `${sight.tracker.item_name} #${artifact.id}`
}
