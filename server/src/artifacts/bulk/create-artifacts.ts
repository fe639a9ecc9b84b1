import { sql } from 'kysely'
import type { BulkWriteContext, LineResult } from '../../platform/http/bulk-route.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { MAX_WRITER_ATTEMPTS } from '../../platform/operation/retry-on-conflict.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { artifactVersion } from '../artifact.ts'
import { insertInto } from '../create-artifact.ts'
import { hasNewValues } from '../update-artifact/decide-values.ts'
import { buildVersion } from '../update-artifact/derived-rows.ts'
import { reportVersion } from '../update-artifact/dry-run-report.ts'
import { type Inserted, insertArtifacts } from '../update-artifact/insert-artifacts.ts'
import { makeOpenValues } from '../update-artifact/open-values.ts'
import { readAfterWrite } from '../update-artifact/respond.ts'
import type { ArtifactValues } from '../update-artifact/schemas.ts'
import type { Author, VersionDraft } from '../update-artifact/version-draft.ts'
import { draftCreations, type Drafted, mayDependOnEarlierLines } from './draft-creations.ts'

const INSERT_BATCH_SIZE = 125

/**
 * Creates artifacts with the same result as single writes in order, but in few statements. Lines that write more, or
 * depend on earlier lines, are written one by one. `drafted` was made before this transaction; if the tracker has
 * changed since, the lines are drafted again.
 */
export async function createArtifacts(
  work: BulkWriteContext,
  author: Author,
  tracker: TrackerId,
  inputs: readonly ArtifactValues[],
  drafted: Drafted | ApiError | undefined,
): Promise<readonly LineResult[]> {
  const alone = (input: ArtifactValues) => work.attempt((line) => createAlone(line, author, tracker, input))
  const results: LineResult[] = []
  for (let turn = 0; turn < MAX_WRITER_ATTEMPTS && results.length < inputs.length; turn++) {
    const rest = inputs.slice(results.length)
    if (work.isDryRun || rest.length === 1) for (const input of rest) results.push(await alone(input))
    else {
      const current = turn === 0 && drafted ? drafted : await draftCreations(author, tracker, rest)
      results.push(...(await createTogether(work, rest, current, alone)))
    }
  }
  while (results.length < inputs.length) results.push({ error: new ApiError('unavailable') })
  return results
}

async function createAlone(
  work: WriteContext,
  author: Author,
  tracker: TrackerId,
  input: ArtifactValues,
): Promise<LineResult> {
  const { written, target, draft } = await insertInto(work, author, tracker, input)
  if (work.isDryRun) await reportVersion(work, author, undefined, await readAfterWrite(author, target, written), draft)
  return resultOf(written)
}

/** Results in order; fewer than lines if the tracker changed meanwhile. */
async function createTogether(
  work: BulkWriteContext,
  inputs: readonly ArtifactValues[],
  drafted: Drafted | ApiError,
  alone: (input: ArtifactValues) => Promise<LineResult>,
): Promise<readonly LineResult[]> {
  if (drafted instanceof ApiError) return inputs.map(() => ({ error: drafted }))
  const results: LineResult[] = []
  let waiting: VersionDraft[] = []
  const write = async () => {
    const written = await insertAll(work, drafted, waiting)
    results.push(...written.map(resultOf))
    const isDone = written.length === waiting.length
    waiting = []
    return isDone
  }
  for (const [at, input] of inputs.entries()) {
    const draft = drafted.drafts[at]
    if (draft === undefined) break
    if (!(draft instanceof ApiError) && draft.reverse.length === 0 && draft.attached.length === 0) {
      waiting.push(draft)
      continue
    }
    if (!(await write())) return results
    const isFinal = draft instanceof ApiError && !mayDependOnEarlierLines(draft)
    results.push(isFinal ? { error: draft } : await alone(input))
  }
  await write()
  return results
}

/**
 * Inserts in batches: the next batch is prepared while the database writes. Fewer results than drafts if the tracker
 * changed meanwhile.
 */
async function insertAll(
  { tx, origin }: BulkWriteContext,
  { author, target }: Drafted,
  drafts: readonly VersionDraft[],
): Promise<readonly Inserted[]> {
  const { tracker } = target.access
  const makesValues = drafts.some(({ changes }) => hasNewValues(changes))
  if (makesValues) await sql`savepoint labels`.execute(tx)
  const settled = await makeOpenValues(
    tx,
    tracker,
    drafts.map(({ changes }) => changes),
  )
  const ready = drafts.map((draft, at) => ({ ...draft, changes: settled[at] ?? draft.changes }))
  const writing: Promise<readonly Inserted[] | undefined>[] = []
  for (let from = 0; from < ready.length; from += INSERT_BATCH_SIZE) {
    const some = ready.slice(from, from + INSERT_BATCH_SIZE)
    const [first, ...more] = some.map((draft) => buildVersion(author, target, draft, origin))
    if (first) writing.push(insertArtifacts(tx, tracker, [first, ...more]))
    await new Promise((resolve) => setImmediate(resolve)) // Lets the statement be sent before the next batch is prepared.
  }
  const written = (await Promise.all(writing)).flatMap((some) => some ?? [])
  if (!makesValues) return written
  const isWhole = written.length === drafts.length
  if (!isWhole) await sql`rollback to savepoint labels`.execute(tx)
  await sql`release savepoint labels`.execute(tx)
  return isWhole ? written : []
}

function resultOf(written: Inserted): LineResult {
  return { status: 201, id: written.id, version: artifactVersion(written) }
}
