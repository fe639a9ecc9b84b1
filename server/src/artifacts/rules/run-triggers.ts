import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { connectionWasLost } from '../../platform/database/faults.ts'
import type { Work } from '../../platform/http/work.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { trackerNow } from '../../trackers/find-tracker.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { Artifact, ArtifactId } from '../artifact.ts'
import { CHILD } from '../links/link-field.ts'
import type { Author, Target } from '../writing/draft-version.ts'
import { type ChangedChild, raiseParent } from './raise-parent.ts'

/** Whether a change here may change a parent. Asked before every write: where there is no parent, nothing is looked up. */
export async function mayTrigger({ context, db }: Author, { sight: { tracker } }: Target): Promise<boolean> {
  if (tracker.parent_id === null) return false
  return listensTo(await trackerNow(context, db, tracker.parent_id), tracker.id)
}

/**
 * Changes the parents of an artifact as their triggers say, then theirs, and so on up. Each artifact is changed once, so
 * that a circle ends. What goes wrong there is told there: it never stops the change that set it off.
 */
export async function runTriggers(
  work: Work,
  author: Author,
  { sight: { tracker } }: Target,
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

/** Whoever has it as a child and listens, whether anybody sees them or not. */
async function findParents({ context }: Author, tx: Tx, { tracker, artifact }: ChangedChild): Promise<ArtifactId[]> {
  if (tracker.parent_id === null) return []
  if (!listensTo(await trackerNow(context, tx, tracker.parent_id), tracker.id)) return []
  const { rows } = await sql<{ id: ArtifactId }>`
    select artifact.id from artifact_link link join artifact on artifact.id = link.source_id
    where link.target_id = ${artifact.id} and link.type = ${CHILD}
      and artifact.tracker_id = ${tracker.parent_id} and artifact.deleted_on is null
    order by artifact.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Undone by itself where it fails. */
async function attempt(
  work: Work,
  author: Author,
  id: ArtifactId,
  child: ChangedChild,
): Promise<ChangedChild | undefined> {
  const savepoint = await work.tx.savepoint('trigger').execute()
  try {
    const parent = await raiseParent(work, author, id, child)
    await savepoint.releaseSavepoint('trigger').execute()
    return parent
  } catch (error) {
    if (connectionWasLost(error)) throw error
    await savepoint.rollbackToSavepoint('trigger').execute()
    await tellFailure(work, author, id, child, error)
    return undefined
  }
}

async function tellFailure(
  work: Work,
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
  await work.tell({
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
