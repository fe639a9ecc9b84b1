import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { isConnectionLost } from '../../platform/database/database-errors.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { loadCurrentTracker } from '../../trackers/find-tracker.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { Artifact, ArtifactId } from '../artifact.ts'
import { CHILD } from '../links/link-field.ts'
import type { Author } from '../update-artifact/version-draft.ts'
import { type ChangedChild, propagateToParent } from './propagate-to-parent.ts'

/** True if a change may affect a parent. Called before every write; without a parent tracker it needs no lookup. */
export async function mayTrigger({ context, db }: Author, tracker: LoadedTracker): Promise<boolean> {
  if (tracker.parent_id === null) return false
  return listensTo(await loadCurrentTracker(context, db, tracker.parent_id), tracker.id)
}

/**
 * Runs the triggers of the parents, then of their parents, and so on. Each artifact changes once, so cycles end. A
 * failed trigger is reported there and never fails the original change.
 */
export async function runTriggers(
  work: WriteContext,
  author: Author,
  tracker: LoadedTracker,
  artifact: Artifact,
): Promise<void> {
  const done = new Set<ArtifactId>([artifact.id])
  let changed: readonly ChangedChild[] = [{ tracker, artifact }]
  while (changed.length > 0) {
    const raised: ChangedChild[] = []
    for (const child of changed)
      for (const id of await findParents(author, work.tx, child)) {
        const parent = done.has(id) ? undefined : await attempt(work, author, id, child)
        if (!parent) continue
        done.add(id)
        raised.push(parent)
      }
    changed = raised
  }
}

function listensTo(parent: LoadedTracker | undefined, child: TrackerId): boolean {
  return parent?.triggers.some(({ when }) => when.some(({ tracker_id }) => tracker_id === child)) ?? false
}

/** Parents with triggers on this artifact, visible or not. */
async function findParents({ context }: Author, tx: Tx, { tracker, artifact }: ChangedChild): Promise<ArtifactId[]> {
  if (tracker.parent_id === null) return []
  if (!listensTo(await loadCurrentTracker(context, tx, tracker.parent_id), tracker.id)) return []
  const { rows } = await sql<{ id: ArtifactId }>`
    select artifact.id from artifact_link link join artifact on artifact.id = link.source_id
    where link.target_id = ${artifact.id} and link.type = ${CHILD}
      and artifact.tracker_id = ${tracker.parent_id} and artifact.deleted_on is null
    order by artifact.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Runs in a savepoint, so a failure rolls back this step only. */
async function attempt(
  work: WriteContext,
  author: Author,
  id: ArtifactId,
  child: ChangedChild,
): Promise<ChangedChild | undefined> {
  const savepoint = await work.tx.savepoint('trigger').execute()
  try {
    const parent = await propagateToParent(work, author, id, child)
    await savepoint.releaseSavepoint('trigger').execute()
    return parent
  } catch (error) {
    if (isConnectionLost(error)) throw error
    await savepoint.rollbackToSavepoint('trigger').execute()
    await recordFailure(work, author, id, child, error)
    return undefined
  }
}

async function recordFailure(
  work: WriteContext,
  { context }: Author,
  id: ArtifactId,
  { artifact: child, tracker }: ChangedChild,
  error: unknown,
): Promise<void> {
  const isRefusal = error instanceof ApiError
  context.log.warn(
    { err: error, artifact_id: id, child_id: child.id, request_id: work.origin.request_id },
    'trigger failed',
  )
  await work.recordEvent({
    type: 'artifact.trigger_failed',
    object: `artifacts/${id}`,
    project_id: child.project_id,
    payload: {
      tracker_id: tracker.parent_id,
      child_id: child.id,
      reason: isRefusal ? error.reason : 'internal_error',
      ...(isRefusal && error.details?.cause && { cause: error.details.cause }),
    },
  })
}
