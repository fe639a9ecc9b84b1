import { sql } from 'kysely'
import { failpoint } from '#failpoint'
import { requireAccount } from '../../accounts/refusals.ts'
import type { Origin } from '../../platform/database/audit.ts'
import type { FreeWork, Work } from '../../platform/http/work.ts'
import { fieldTypeOf } from '../../trackers/fields/field-types.ts'
import type { Artifact } from '../artifact.ts'
import { attachFiles, lockRoom, recordAttachments, requireRoom } from '../attachments/attach-files.ts'
import { copyAttachments } from '../attachments/copy-attachments.ts'
import type { NewAttachment } from '../attachments/plan-attaching.ts'
import { writeReverseLinks } from '../links/write-reverse-links.ts'
import { mayTrigger, runTriggers } from '../rules/run-triggers.ts'
import { type Author, type Draft, type Target } from './draft-version.ts'
import { effectsOf } from './effects.ts'
import { eventOf } from './event.ts'
import { insertArtifact } from './insert-artifact.ts'
import { hasNewValues, makeOpenValues } from './open-values.ts'
import { type NewVersion, writeVersion } from './write-version.ts'

/**
 * Writes a drafted version: by one statement where that is all there is to write, else with what else has to be written
 * in one transaction. Undefined: the world has moved on, and whoever drafted it looks again.
 */
export async function saveVersion(
  work: FreeWork,
  author: Author,
  target: Target,
  draft: Draft,
): Promise<Artifact | undefined> {
  const isAlone = !writesBeside(draft) && !(await mayTrigger(author, target))
  failpoint('artifact.drafted')
  if (isAlone) {
    const written = await work.statement((db) => save({ ...author, db }, target, draft, work))
    if (leavesFiles(target, draft)) failpoint('file.detached')
    return written
  }
  return work
    .whole((whole) => behindSavepoint(whole, draft, () => saveWhole(whole, author, target, draft)))
    .catch((error: unknown) => {
      if (error instanceof MovedOn) return undefined
      throw error
    })
}

/** Whether one statement does not write all of it. */
export function writesBeside(draft: Draft): boolean {
  return draft.reverse.length > 0 || hasFiles(draft) || hasNewValues(draft.changes)
}

function hasFiles({ attached, copied }: Draft): boolean {
  return attached.length > 0 || copied.size > 0
}

/** A file that is in a field no longer stays the artifact's: its past versions have it. */
function leavesFiles({ sight, found }: Target, { changes }: Draft): boolean {
  return [...changes].some(([id, value]) => {
    const element = sight.tracker.byId.get(id)
    const filesIn = element && fieldTypeOf(element).files
    const left = filesIn?.(found?.artifact.field_values[String(id)]) ?? []
    return left.length > 0 && !new Set(left).isSubsetOf(new Set(filesIn?.(value)))
  })
}

/** Rolls back what was written beside a version that could not be. */
class MovedOn extends Error {}

/** In a transaction that others have begun, no file stays taken by a version that could not be written. */
async function behindSavepoint<T>({ tx }: Work, draft: Draft, write: () => Promise<T>): Promise<T> {
  if (!hasFiles(draft)) return write()
  await sql`savepoint files`.execute(tx)
  try {
    const written = await write()
    await sql`release savepoint files`.execute(tx)
    return written
  } catch (error) {
    if (error instanceof MovedOn) await sql`rollback to savepoint files`.execute(tx)
    throw error
  }
}

async function saveWhole(work: Work, author: Author, target: Target, draft: Draft): Promise<Artifact> {
  const inside = { ...author, db: work.tx }
  const { tx } = work
  const { tracker } = target.sight
  const { context } = author
  if (hasFiles(draft)) await lockRoom(tx, context, tracker.project_id)
  const [labelled = draft.changes] = await makeOpenValues(tx, tracker, [draft.changes])
  failpoint('artifact.labelled')
  const { changes, copies } = await copyAttachments(tx, author, tracker, { ...draft, changes: labelled })
  const isChanged = !target.found || changes.size > 0 || draft.comment !== null
  const after = isChanged ? await save(inside, target, { ...draft, changes }, work) : target.found?.artifact
  if (!after) throw new MovedOn()
  failpoint('artifact.written')
  if (hasFiles(draft) && !(await takeFiles(work, author, after, { taken: draft.attached, copies }))) throw new MovedOn()
  await writeReverseLinks(work, inside, after, draft.reverse)
  if (isChanged) await runTriggers(work, inside, target, after)
  failpoint('artifact.triggered')
  return after
}

interface Taking {
  readonly taken: readonly NewAttachment[]
  readonly copies: readonly NewAttachment[]
}

/** False: one of them is somebody else's by now. */
async function takeFiles(
  { tx, isDryRun }: Work,
  { context, viewer, now }: Author,
  after: Artifact,
  { taken, copies }: Taking,
): Promise<boolean> {
  const isTaken = await attachFiles(tx, after, taken, { by: requireAccount(viewer), now, isDryRun })
  if (!isTaken) return false
  if (copies.length > 0) await recordAttachments(tx, after, copies)
  await requireRoom(tx, context, after.project_id)
  return true
}

/** By one statement, whatever else has to be written. */
export async function save(
  author: Author,
  target: Target,
  draft: Draft,
  { origin }: Pick<FreeWork, 'origin'>,
): Promise<Artifact | undefined> {
  const { found, sight } = target
  const version = newVersion(author, target, draft, origin)
  return found
    ? writeVersion(author.db, found.artifact, sight.tracker, version)
    : insertArtifact(author.db, sight.tracker, version)
}

export function newVersion(
  { context, viewer, now }: Author,
  { sight, found }: Target,
  draft: Draft,
  origin: Origin,
): NewVersion {
  const world = { tracker: sight.tracker, referenceKinds: context.referenceKinds }
  return {
    changes: JSON.stringify(Object.fromEntries(draft.changes)),
    effects: effectsOf(world, found?.artifact.field_values ?? {}, draft.changes),
    comment: draft.comment,
    origin,
    event: eventOf(sight, found, draft),
    author: viewer.account_id ?? null,
    now,
  }
}
