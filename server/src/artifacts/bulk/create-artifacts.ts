import { sql } from 'kysely'
import type { BulkWork, LineResult } from '../../platform/http/bulk-part.ts'
import type { Work } from '../../platform/http/work.ts'
import { TURNS_OF_WRITERS } from '../../platform/operation/until-unchanged.ts'
import { ApiError } from '../../platform/words/errors.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { versionOf } from '../artifact.ts'
import { insertInto } from '../create-artifact.ts'
import { findWritten } from '../writing/answer.ts'
import type { Author, Draft } from '../writing/draft-version.ts'
import { type Inserted, insertArtifacts } from '../writing/insert-artifacts.ts'
import { hasNewValues, makeOpenValues } from '../writing/open-values.ts'
import { reportVersion } from '../writing/report.ts'
import { newVersion } from '../writing/save-version.ts'
import type { ArtifactValues } from '../writing/schemas.ts'
import { draftCreations, type Drafted, mayBeKnownNow } from './draft-creations.ts'

const AT_ONCE = 125

/**
 * Makes artifacts as single writes one after the other would, but together: those that passed are written by few
 * statements. What has to write more, or to see those before it, goes by itself. `drafted` before this transaction
 * began; where the tracker has changed since, they are drafted again.
 */
export async function createArtifacts(
  work: BulkWork,
  author: Author,
  tracker: TrackerId,
  inputs: readonly ArtifactValues[],
  drafted: Drafted | ApiError | undefined,
): Promise<readonly LineResult[]> {
  const alone = (input: ArtifactValues) => work.attempt((line) => createAlone(line, author, tracker, input))
  const results: LineResult[] = []
  for (let turn = 0; turn < TURNS_OF_WRITERS && results.length < inputs.length; turn++) {
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

async function createAlone(work: Work, author: Author, tracker: TrackerId, input: ArtifactValues): Promise<LineResult> {
  const { written, target, draft } = await insertInto(work, author, tracker, input)
  if (work.isDryRun) await reportVersion(work, author, undefined, await findWritten(author, target, written), draft)
  return resultOf(written)
}

/** As many results as it came to, in order: fewer than lines where the tracker has changed meanwhile. */
async function createTogether(
  work: BulkWork,
  inputs: readonly ArtifactValues[],
  drafted: Drafted | ApiError,
  alone: (input: ArtifactValues) => Promise<LineResult>,
): Promise<readonly LineResult[]> {
  if (drafted instanceof ApiError) return inputs.map(() => ({ error: drafted }))
  const results: LineResult[] = []
  let waiting: Draft[] = []
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
    const isFinal = draft instanceof ApiError && !mayBeKnownNow(draft)
    results.push(isFinal ? { error: draft } : await alone(input))
  }
  await write()
  return results
}

/**
 * Some at a time: while the database writes those, the next are made ready. Fewer than drafts: the tracker has changed
 * meanwhile.
 */
async function insertAll(
  { tx, origin }: BulkWork,
  { author, target }: Drafted,
  drafts: readonly Draft[],
): Promise<readonly Inserted[]> {
  const { tracker } = target.sight
  const makesValues = drafts.some(({ changes }) => hasNewValues(changes))
  if (makesValues) await sql`savepoint labels`.execute(tx)
  const settled = await makeOpenValues(
    tx,
    tracker,
    drafts.map(({ changes }) => changes),
  )
  const ready = drafts.map((draft, at) => ({ ...draft, changes: settled[at] ?? draft.changes }))
  const writing: Promise<readonly Inserted[] | undefined>[] = []
  for (let from = 0; from < ready.length; from += AT_ONCE) {
    const some = ready.slice(from, from + AT_ONCE)
    const [first, ...more] = some.map((draft) => newVersion(author, target, draft, origin))
    if (first) writing.push(insertArtifacts(tx, tracker, [first, ...more]))
    await new Promise((resolve) => setImmediate(resolve)) // It is sent before the next are made ready.
  }
  const written = (await Promise.all(writing)).flatMap((some) => some ?? [])
  if (!makesValues) return written
  const isWhole = written.length === drafts.length
  if (!isWhole) await sql`rollback to savepoint labels`.execute(tx)
  await sql`release savepoint labels`.execute(tx)
  return isWhole ? written : []
}

function resultOf(written: Inserted): LineResult {
  return { status: 201, id: written.id, version: versionOf(written) }
}
