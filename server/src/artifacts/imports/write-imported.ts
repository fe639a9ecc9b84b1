import type { BulkWriteContext, LineResult } from '../../platform/http/bulk-route.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { Tx } from '../../platform/database/db.ts'
import { artifactVersion } from '../artifact.ts'
import { attachFiles, lockAttachmentQuota, requireAttachmentQuota } from '../attachments/attach-files.ts'
import { mayDependOnEarlierLines } from '../bulk/draft-creations.ts'
import { makeOpenValues } from '../update-artifact/open-values.ts'
import type { Author } from '../update-artifact/version-draft.ts'
import type { DraftedImport } from './draft-import.ts'
import { draftLines, type DraftedLines, type ImportTarget } from './draft-lines.ts'
import { freeIds } from './free-ids.ts'
import type { ImportLine } from './import-line.ts'
import { type Imported, type Importing, insertImported } from './insert-imported.ts'

/** A statement has at most this many versions, so that it ends in time. */
const MAX_VERSIONS_PER_STATEMENT = 500
const MAX_ATTEMPTS = 5

/**
 * Writes the lines in order and in few statements. Lines with files, and lines that may depend on earlier ones, are
 * written one by one.
 */
export async function writeLines(
  work: BulkWriteContext,
  author: Author,
  importing: Importing,
  lines: readonly ImportLine[],
  prepared: DraftedLines,
): Promise<readonly LineResult[]> {
  const { taken, refusals } = await freeIds(work, lines)
  const results = new Map<ImportLine, LineResult>()
  /** Ids of lines that are written or will be, so that later lines may link to them. */
  const accepted = new Set<number>()
  const refuse = (line: ImportLine, error: ApiError) => results.set(line, { error })
  const alone = async (line: ImportLine) =>
    results.set(line, await work.attempt((one) => writeAlone(one, author, importing, line)))
  let waiting: { readonly target: ImportTarget; readonly drafts: DraftedImport[] } | undefined
  const flush = async () => {
    if (!waiting) return
    const { target, drafts } = waiting
    waiting = undefined
    const written = await insertTogether(work.tx, author, importing, target, drafts)
    for (const [at, { line }] of drafts.entries()) {
      const row = written?.[at]
      if (row) results.set(line, resultOf(row))
      else {
        if (line.id !== undefined) accepted.delete(line.id)
        await alone(line) // The tracker has changed since the line was drafted.
      }
    }
  }
  const seen = new Set(taken)
  for (const line of lines) {
    const refused = refusals.get(line) ?? (line.id !== undefined && seen.has(line.id) ? idTaken() : undefined)
    if (line.id !== undefined) seen.add(line.id)
    const drafted = refused ?? prepared.get(line)
    if (drafted === undefined) await flush().then(() => alone(line))
    else if (drafted instanceof ApiError) {
      const isFinal = !mayDependOnEarlierLines(drafted)
      if (!isFinal) await flush()
      if (isFinal) refuse(line, drafted)
      else await alone(line)
    } else if (drafted.draft.attached.length > 0 || !drafted.needs.isSubsetOf(accepted))
      await flush().then(() => alone(line))
    else {
      const { target, draft } = drafted
      if (waiting && (!isSameTarget(waiting.target, target) || isFull(waiting.drafts, draft))) await flush()
      waiting ??= { target, drafts: [] }
      waiting.drafts.push(draft)
      if (line.id !== undefined) accepted.add(line.id)
    }
  }
  await flush()
  return lines.map((line) => results.get(line) ?? { error: new ApiError('unavailable') })
}

/** Whether both are the tracker in one state; lines that were drafted again have an object of their own. */
function isSameTarget({ access: { tracker } }: ImportTarget, { access: { tracker: other } }: ImportTarget): boolean {
  return tracker.id === other.id && tracker.stamp === other.stamp
}

function isFull(drafts: readonly DraftedImport[], next: DraftedImport): boolean {
  const versions = drafts.reduce((sum, draft) => sum + draft.versions.length, next.versions.length)
  return versions > MAX_VERSIONS_PER_STATEMENT
}

function idTaken(): ApiError {
  return new ApiError('rule_violated', { path: 'id', cause: 'artifact_id_taken' })
}

/** Drafts and writes one line in the transaction, with its files. */
async function writeAlone(
  work: WriteContext,
  author: Author,
  importing: Importing,
  line: ImportLine,
): Promise<LineResult> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const drafted = (await draftLines(author, importing.project_id, [line])).get(line)
    if (drafted === undefined || drafted instanceof ApiError) throw drafted ?? new ApiError('unavailable')
    const { target, draft } = drafted
    if (draft.attached.length > 0) await lockAttachmentQuota(work.tx, author.context, importing.project_id)
    const [written] = (await insertTogether(work.tx, author, importing, target, [draft])) ?? []
    if (!written) continue
    if (draft.attached.length > 0) await takeFiles(work, author, importing, written, draft)
    return resultOf(written)
  }
  throw new ApiError('unavailable')
}

async function takeFiles(
  { tx, isDryRun }: WriteContext,
  { context, now }: Author,
  { imported_by: by, project_id }: Importing,
  written: Imported,
  { attached }: DraftedImport,
): Promise<void> {
  if (!(await attachFiles(tx, written, attached, { by, now, isDryRun }))) throw new ApiError('unavailable')
  await requireAttachmentQuota(tx, context, project_id)
}

async function insertTogether(
  tx: Tx,
  { context }: Author,
  importing: Importing,
  { access: { tracker } }: ImportTarget,
  drafts: readonly DraftedImport[],
): Promise<readonly Imported[] | undefined> {
  const changes = drafts.flatMap(({ versions }) => versions.map((version) => version.changes))
  const settled = (await makeOpenValues(tx, tracker, changes)).values()
  const ready = drafts.map((draft) => ({
    ...draft,
    versions: draft.versions.map((version) => ({ ...version, changes: settled.next().value ?? version.changes })),
  }))
  return insertImported(tx, tracker, { referenceKinds: context.referenceKinds }, ready, importing)
}

function resultOf(written: Imported): LineResult {
  return { status: 201, id: written.id, version: artifactVersion(written) }
}
