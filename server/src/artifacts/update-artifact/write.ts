import { sql } from 'kysely'
import { failpoint } from '#failpoint'
import { requireAccount } from '../../accounts/auth-errors.ts'
import type { StatementWriteContext, WriteContext } from '../../platform/http/write-context.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { Artifact } from '../artifact.ts'
import {
  attachFiles,
  lockAttachmentQuota,
  recordAttachments,
  requireAttachmentQuota,
} from '../attachments/attach-files.ts'
import { copyAttachments } from '../attachments/copy-attachments.ts'
import type { NewAttachment } from '../attachments/plan-attaching.ts'
import { writeReverseLinks } from '../links/write-reverse-links.ts'
import { mayTrigger, runTriggers } from '../rules/run-triggers.ts'
import { hasNewValues } from './decide-values.ts'
import { buildVersion } from './derived-rows.ts'
import { insertArtifact } from './insert-artifacts.ts'
import { makeOpenValues } from './open-values.ts'
import { appendVersion } from './version-ctes.ts'
import type { Author, VersionDraft, WriteTarget } from './version-draft.ts'

/**
 * Writes a drafted version: in one statement if possible, otherwise in a transaction with the other writes. Undefined
 * if data changed concurrently: the caller drafts again.
 */
export async function writeVersion(
  work: StatementWriteContext,
  author: Author,
  target: WriteTarget,
  draft: VersionDraft,
): Promise<Artifact | undefined> {
  const { found, access } = target
  const { tracker } = access
  const isAlone = !writesBeside(draft) && (tracker.parent_id === null || !(await mayTrigger(author, tracker)))
  failpoint('artifact.drafted')
  if (isAlone) {
    const version = buildVersion(author, target, draft, work.origin)
    const drawn = found ? undefined : await drawNumber(work, author, tracker)
    const written = await work.statement((db) =>
      found ? appendVersion(db, found.artifact, tracker, version) : insertArtifact(db, tracker, version, drawn),
    )
    if (leavesFiles(target, draft)) failpoint('file.detached')
    return written
  }
  return work
    .inTransaction((whole) => behindSavepoint(whole, draft, () => writeWithOthers(whole, author, target, draft)))
    .catch((error: unknown) => {
      if (error instanceof ConcurrentChange) return undefined
      throw error
    })
}

/**
 * The number of an artifact that is created without a transaction. In a transaction the statement draws it, so that a
 * dry run gives none away. Undefined if the tracker is purged: the statement finds that out.
 */
async function drawNumber(
  { db }: StatementWriteContext,
  { context }: Author,
  tracker: LoadedTracker,
): Promise<number | undefined> {
  if (db.isTransaction) return undefined
  const number = await context.artifactNumbers.draw(db, tracker.id)
  failpoint('artifact.numbered')
  return number
}

/** True if the draft takes more than one statement. */
export function writesBeside(draft: VersionDraft): boolean {
  return draft.reverse.length > 0 || hasFiles(draft) || hasNewValues(draft.changes)
}

function hasFiles({ attached, copied }: VersionDraft): boolean {
  return attached.length > 0 || copied.size > 0
}

/** A detached file still belongs to the artifact, because past versions refer to it. */
function leavesFiles({ access, found }: WriteTarget, { changes }: VersionDraft): boolean {
  return [...changes].some(([id, value]) => {
    const element = access.tracker.byId.get(id)
    const filesIn = element && fieldTypeOf(element).files
    const left = filesIn?.(found?.artifact.field_values[String(id)]) ?? []
    return left.length > 0 && !new Set(left).isSubsetOf(new Set(filesIn?.(value)))
  })
}

/** Rolls back the other writes when the version could not be written. */
class ConcurrentChange extends Error {}

/** A savepoint, so that an outer transaction keeps no claim on files if the version could not be written. */
async function behindSavepoint<T>({ tx }: WriteContext, draft: VersionDraft, write: () => Promise<T>): Promise<T> {
  if (!hasFiles(draft)) return write()
  await sql`savepoint files`.execute(tx)
  try {
    const written = await write()
    await sql`release savepoint files`.execute(tx)
    return written
  } catch (error) {
    if (error instanceof ConcurrentChange) await sql`rollback to savepoint files`.execute(tx)
    throw error
  }
}

/** Writes a version with labels, files, links of other artifacts and triggers, in one transaction. */
async function writeWithOthers(
  work: WriteContext,
  author: Author,
  target: WriteTarget,
  draft: VersionDraft,
): Promise<Artifact> {
  const { tx } = work
  const inside = { ...author, db: tx }
  const { found, access } = target
  const { tracker } = access
  if (hasFiles(draft)) await lockAttachmentQuota(tx, author.context, tracker.project_id)
  const [labelled = draft.changes] = await makeOpenValues(tx, tracker, [draft.changes])
  failpoint('artifact.labelled')
  const { changes, copies } = await copyAttachments(tx, author, tracker, { ...draft, changes: labelled })
  const version = () => buildVersion(inside, target, { ...draft, changes }, work.origin)
  const isChanged = !found || changes.size > 0 || draft.comment !== null
  const after = !found
    ? await insertArtifact(tx, tracker, version())
    : isChanged
      ? await appendVersion(tx, found.artifact, tracker, version())
      : found.artifact
  if (!after) throw new ConcurrentChange()
  failpoint('artifact.written')
  if (hasFiles(draft) && !(await takeFiles(work, author, after, { taken: draft.attached, copies })))
    throw new ConcurrentChange()
  await writeReverseLinks(work, inside, after, draft.reverse)
  if (isChanged) await runTriggers(work, inside, tracker, after)
  failpoint('artifact.triggered')
  return after
}

interface Taking {
  readonly taken: readonly NewAttachment[]
  readonly copies: readonly NewAttachment[]
}

/** False if another write claimed one of them concurrently. */
async function takeFiles(
  { tx, isDryRun }: WriteContext,
  { context, viewer, now }: Author,
  after: Artifact,
  { taken, copies }: Taking,
): Promise<boolean> {
  const isTaken = await attachFiles(tx, after, taken, { by: requireAccount(viewer), now, isDryRun })
  if (!isTaken) return false
  if (copies.length > 0) await recordAttachments(tx, after, copies)
  await requireAttachmentQuota(tx, context, after.project_id)
  return true
}
