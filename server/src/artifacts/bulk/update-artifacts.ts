import { failpoint } from '#failpoint'
import { hiddenFrom } from '../../accounts/refusals.ts'
import type { BulkWork, LineResult } from '../../platform/http/bulk-part.ts'
import type { Work } from '../../platform/http/work.ts'
import { ApiError } from '../../platform/words/errors.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { versionOf } from '../artifact.ts'
import { linkFieldOf } from '../links/link-field.ts'
import { findArtifact, findArtifacts, type FoundArtifact } from '../reading/find-artifact.ts'
import { mayTrigger } from '../rules/run-triggers.ts'
import { draftChange, isIdle, writeChange } from '../update-artifact.ts'
import { findWritten } from '../writing/answer.ts'
import type { Author } from '../writing/draft-version.ts'
import { findItems } from '../writing/items.ts'
import { reportVersion } from '../writing/report.ts'
import { save, writesBeside } from '../writing/save-version.ts'
import type { Update } from './line.ts'

/**
 * Changes artifacts, each of them once, as single writes one after the other would. They are looked at together. One that
 * is written by a single statement needs nothing around it; all others go by themselves.
 */
export async function updateArtifacts(
  work: BulkWork,
  author: Author,
  tracker: TrackerId,
  updates: readonly Update[],
): Promise<readonly LineResult[]> {
  const { context, db, viewer } = author
  const ids = updates.map(({ id }) => id)
  const seen = work.isDryRun || ids.length === 1 ? [] : await findArtifacts(context, db, viewer, ids)
  const found = new Map(
    seen.filter(({ artifact }) => artifact.tracker_id === tracker).map((each) => [each.artifact.id, each]),
  )
  const [one] = found.values()
  const triggers = one !== undefined && (await mayTrigger(author, { sight: one.sight, found: one }))
  const results: LineResult[] = []
  for (const update of updates) {
    const before = triggers ? undefined : found.get(update.id)
    const result = before && (await updateSeen(work, author, before, update))
    results.push(result ?? (await work.attempt((line) => updateAlone(line, author, tracker, update), update.id)))
    failpoint('artifact.line')
  }
  return results
}

/** Undefined: it takes more than one statement, or another look. */
async function updateSeen(
  work: BulkWork,
  author: Author,
  before: FoundArtifact,
  { id, input, precondition }: Update,
): Promise<LineResult | undefined> {
  const { sight } = before
  // Which links there are, the lines before may have changed.
  const links = linkFieldOf(sight.tracker)
  if (findItems(sight, input).items.some(({ element }) => element.id === links?.id)) return undefined
  try {
    const draft = await draftChange(author, before, input, precondition)
    if (isIdle(draft)) return { status: 200, id, version: versionOf(before.artifact), isUnchanged: true }
    if (writesBeside(draft)) return undefined
    const written = await save(author, { sight, found: before }, draft, work)
    return written && { status: 200, id, version: versionOf(written) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { error, id }
  }
}

async function updateAlone(
  work: Work,
  author: Author,
  tracker: TrackerId,
  { id, input, precondition }: Update,
): Promise<LineResult> {
  const { context, db, viewer } = author
  const look = async () => {
    const found = await findArtifact(context, db, viewer, id)
    if (found.artifact.tracker_id !== tracker) throw hiddenFrom(viewer)
    return found
  }
  const { before, written, draft } = await writeChange(work, author, look, input, precondition)
  const target = { sight: before.sight, found: before }
  if (work.isDryRun)
    await reportVersion(work, author, before, written ? await findWritten(author, target, written) : before, draft)
  if (!written) return { status: 200, id, version: versionOf(before.artifact), isUnchanged: true }
  return { status: 200, id, version: versionOf(written) }
}
