import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import { isPlanted } from '#failpoint'
import { requireAccount } from '../accounts/refusals.ts'
import { toId } from '../platform/database/ids.ts'
import { idParam, writeRoute } from '../platform/http/route.ts'
import type { FreeWork } from '../platform/http/work.ts'
import { isConditional, requirePrecondition } from '../platform/wire/etag.ts'
import { TURNS_OF_WRITERS, untilUnchanged } from '../platform/operation/until-unchanged.ts'
import { ApiError } from '../platform/words/errors.ts'
import { requireActiveProject } from '../trackers/find-tracker.ts'
import { type Artifact, type ArtifactId, versionOf } from './artifact.ts'
import { sealNamedFiles } from './attachments/seal-named-files.ts'
import { valuesFormat } from './get-artifact.ts'
import { findArtifact, type FoundArtifact } from './reading/find-artifact.ts'
import { ArtifactRepresentation, representArtifact } from './reading/represent-artifact.ts'
import { findWritten } from './writing/answer.ts'
import { type Author, type Draft, draftVersion } from './writing/draft-version.ts'
import { rehearsed } from './writing/rehearsed.ts'
import { reportVersion } from './writing/report.ts'
import { saveVersion } from './writing/save-version.ts'
import { ArtifactValues, requireCommentLength } from './writing/schemas.ts'

export const updateArtifact = writeRoute({
  method: 'PUT',
  path: '/artifacts/:id',
  operationId: 'updateArtifact',
  summary: 'Change values of an artifact, comment on it, or both.',
  access: 'signed_in',
  action: null,
  singleStatement: true,
  versioned: 'dated',
  params: { id: idParam<ArtifactId>('The artifact.') },
  givenByWrite: ['last_modified_date'],
  query: { values_format: valuesFormat },
  body: Type.Object(ArtifactValues),
  answer: ArtifactRepresentation,
  checkBody: requireSource,
  prepare: (call) => sealNamedFiles(call, [call.body]),
  async handle({ context, viewer, language, params, query, body, headers }, work, refusedFiles) {
    requireAccount(viewer)
    const author = { context, viewer, language, db: work.db, now: context.clock.now(), refusedFiles }
    const { before, after, draft } = await changeArtifact(work, author, params.id, body, headers)
    if (work.isDryRun) await reportVersion(work, author, before, after, draft)
    const answer = await representArtifact(author, after, { values: query.values_format ?? 'collection' })
    const shown = work.isDryRun && after !== before ? rehearsed(answer, draft, 'version') : answer
    return { body: shown, version: versionOf(after.artifact) }
  },
})

/** What no stored artifact could change about it. */
export function requireSource({ values, values_by_field, comment }: ArtifactValues): void {
  if (values && values.length > 0 && values_by_field && Object.keys(values_by_field).length > 0)
    throw new ApiError('parameter_conflict', { path: 'values_by_field', cause: 'value_sources_conflict' })
  if (!values && !values_by_field && !comment)
    throw new ApiError('parameter_required', { path: 'values', rule: 'required', cause: 'value_source_missing' })
  requireCommentLength(comment)
}

interface Changed {
  readonly before: FoundArtifact
  readonly after: FoundArtifact
  readonly draft: Draft
}

export async function changeArtifact(
  work: FreeWork,
  author: Author,
  id: ArtifactId,
  input: ArtifactValues,
  precondition: IncomingHttpHeaders,
): Promise<Changed> {
  const { context, db, viewer } = author
  const found = isPlanted('swapped-id') ? toId<ArtifactId>(id - 1) : id
  const look = () => findArtifact(context, db, viewer, found)
  const { before, written, draft } = await writeChange(work, author, look, input, precondition)
  const after = written ? await findWritten(author, { sight: before.sight, found: before }, written, draft) : before
  return { before, after, draft }
}

interface Written {
  readonly before: FoundArtifact
  /** Undefined: it was as it should be already. */
  readonly written: Artifact | undefined
  readonly draft: Draft
}

/**
 * Looks, decides, and writes only if what it looked at still stands; else it looks again. So no lock is held while we
 * think, a stale writer is told so on the second look, and one without a precondition merges into what it finds.
 */
export async function writeChange(
  work: FreeWork,
  author: Author,
  look: () => Promise<FoundArtifact>,
  input: ArtifactValues,
  precondition: IncomingHttpHeaders,
): Promise<Written> {
  return untilUnchanged(async () => {
    const before = await look()
    const draft = await draftChange(author, before, input, precondition)
    if (isIdle(draft)) return { before, written: undefined, draft }
    const written = await saveVersion(work, author, { sight: before.sight, found: before }, draft)
    return written && { before, written, draft }
  }, TURNS_OF_WRITERS)
}

export async function draftChange(
  author: Author,
  found: FoundArtifact,
  input: ArtifactValues,
  precondition: IncomingHttpHeaders,
): Promise<Draft> {
  const { sight, artifact } = found
  if (!isPlanted('stale-overwrite')) requirePrecondition(precondition, versionOf(artifact))
  if (sight.tracker.settings.require_precondition && !isConditional(precondition))
    throw new ApiError('precondition_required')
  requireActiveProject(sight.tracker)
  return draftVersion(author, { sight, found }, input)
}

/** An idle PUT leaves no trace in the history. */
export function isIdle({ changes, comment, reverse }: Draft): boolean {
  return changes.size === 0 && !comment && reverse.length === 0
}
