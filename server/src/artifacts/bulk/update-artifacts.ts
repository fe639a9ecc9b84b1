import { failpoint } from '#failpoint'
import type { BulkWriteContext, LineResult } from '../../platform/http/bulk-route.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { artifactVersion } from '../artifact.ts'
import { linkFieldOf } from '../links/link-field.ts'
import { findArtifacts, type FoundArtifact } from '../reading/find-artifact.ts'
import { mayTrigger } from '../rules/run-triggers.ts'
import { decideVersion, isIdle } from '../update-artifact/decide.ts'
import { findItems } from '../update-artifact/decide-values.ts'
import { buildVersion } from '../update-artifact/derived-rows.ts'
import { reportVersion } from '../update-artifact/dry-run-report.ts'
import { requireChangeable } from '../update-artifact/load.ts'
import { readAfterWrite } from '../update-artifact/respond.ts'
import { changeArtifact } from '../update-artifact/update-artifact.ts'
import { appendVersion } from '../update-artifact/version-ctes.ts'
import type { Author } from '../update-artifact/version-draft.ts'
import { writesBeside } from '../update-artifact/write.ts'
import type { ArtifactUpdate } from './line.ts'

/**
 * Updates artifacts, each once, with the same result as single writes in order. All are read together. An update that
 * takes one statement runs without a savepoint; others are written one by one.
 */
export async function updateArtifacts(
  work: BulkWriteContext,
  author: Author,
  tracker: TrackerId,
  updates: readonly ArtifactUpdate[],
): Promise<readonly LineResult[]> {
  const { context, db, viewer } = author
  const ids = updates.map(({ id }) => id)
  const seen = work.isDryRun || ids.length === 1 ? [] : await findArtifacts(context, db, viewer, ids)
  const found = new Map(
    seen.filter(({ artifact }) => artifact.tracker_id === tracker).map((each) => [each.artifact.id, each]),
  )
  const [one] = found.values()
  const triggers = one !== undefined && (await mayTrigger(author, one.access.tracker))
  const results: LineResult[] = []
  for (const update of updates) {
    const before = triggers ? undefined : found.get(update.id)
    const result = before && (await updateSeen(work, author, before, update))
    results.push(result ?? (await work.attempt((line) => updateAlone(line, author, tracker, update), update.id)))
    failpoint('artifact.line')
  }
  return results
}

/** Undefined if it takes more than one statement, or a retry. */
async function updateSeen(
  work: BulkWriteContext,
  author: Author,
  before: FoundArtifact,
  { id, input, precondition }: ArtifactUpdate,
): Promise<LineResult | undefined> {
  const { access } = before
  // Earlier lines may have changed the links.
  const links = linkFieldOf(access.tracker)
  if (findItems(access, input).items.some(({ element }) => element.id === links?.id)) return undefined
  try {
    requireChangeable(before, precondition)
    const target = { access, found: before }
    const draft = await decideVersion(author, target, input)
    if (isIdle(draft)) return { status: 200, id, version: artifactVersion(before.artifact), isUnchanged: true }
    if (writesBeside(draft)) return undefined
    const version = buildVersion(author, target, draft, work.origin)
    const written = await appendVersion(author.db, before.artifact, access.tracker, version)
    return written && { status: 200, id, version: artifactVersion(written) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { error, id }
  }
}

async function updateAlone(
  work: WriteContext,
  author: Author,
  tracker: TrackerId,
  { id, input, precondition }: ArtifactUpdate,
): Promise<LineResult> {
  const { before, written, draft } = await changeArtifact(work, author, id, input, precondition, tracker)
  const target = { access: before.access, found: before }
  if (work.isDryRun)
    await reportVersion(work, author, before, written ? await readAfterWrite(author, target, written) : before, draft)
  if (!written) return { status: 200, id, version: artifactVersion(before.artifact), isUnchanged: true }
  return { status: 200, id, version: artifactVersion(written) }
}
