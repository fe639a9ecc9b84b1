import { Type } from 'typebox'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { StatementWriteContext } from '../../platform/http/write-context.ts'
import { MAX_WRITER_ATTEMPTS } from '../../platform/operation/retry-on-conflict.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { type ArtifactId, artifactVersion } from '../artifact.ts'
import { sealNamedFiles } from '../attachments/seal-named-files.ts'
import { valuesFormat } from '../get-artifact.ts'
import { ArtifactRepresentation } from '../reading/represent-artifact.ts'
import { decideVersion, isIdle } from './decide.ts'
import { loadArtifactForChange, type Precondition } from './load.ts'
import { type WrittenChange, replayArtifact, respondToChange } from './respond.ts'
import { ArtifactValues, requireCommentLength } from './schemas.ts'
import type { Author } from './version-draft.ts'
import { writeVersion } from './write.ts'

export const updateArtifact = writeRoute({
  method: 'PUT',
  path: '/artifacts/:id',
  operationId: 'updateArtifact',
  summary: 'Change values of an artifact, comment on it, or both.',
  description:
    'Changes values, adds a comment, or both, as one new version. Everyone who may see the artifact and update the fields that change. A stale `If-Match` is 412; problems of fields, rules and workflow are listed in `details.all`.',
  access: 'signed_in',
  action: null,
  notifies: true,
  singleStatement: true,
  versioned: 'dated',
  params: { id: idParam<ArtifactId>('The artifact.') },
  dryRun: { omits: ['last_modified_date'] },
  query: { values_format: valuesFormat },
  body: Type.Object(ArtifactValues),
  answer: ArtifactRepresentation,
  bodyRules: { check: requireValuesSource },
  prepare: (call) => sealNamedFiles(call, [call.body]),
  async handle({ context, viewer, language, params, query, body, headers }, work, refusedFiles) {
    const { db, isDryRun, origin } = work
    const { isSilent } = origin
    const author = { context, viewer, language, db, now: context.clock.now(), refusedFiles, isDryRun, isSilent }
    const change = await changeArtifact(work, author, params.id, body, headers)
    return respondToChange(work, author, change, query.values_format ?? 'collection')
  },
  async replay({ context, viewer, language, query }, stored) {
    const audience = { context, db: context.db, viewer, language }
    const { found, shown } = await replayArtifact(audience, stored, query.values_format ?? 'collection')
    return { body: shown, version: artifactVersion(found.artifact) }
  },
})

/** Checks that do not depend on the stored artifact. */
export function requireValuesSource({ values, values_by_field, comment }: ArtifactValues): void {
  if (values && values.length > 0 && values_by_field && Object.keys(values_by_field).length > 0)
    throw new ApiError('parameter_conflict', { path: 'values_by_field', cause: 'value_sources_conflict' })
  if (!values && !values_by_field && !comment)
    throw new ApiError('parameter_required', { path: 'values', rule: 'required', cause: 'value_source_missing' })
  requireCommentLength(comment)
}

/**
 * Optimistic concurrency: load, decide, write only if the rows read are unchanged; otherwise retry. No lock is held
 * between load and write. A stale precondition fails on the retry; without a precondition the change is merged into the
 * newer version. `tracker`: the only tracker that the artifact may be in.
 */
export async function changeArtifact(
  work: StatementWriteContext,
  author: Author,
  id: ArtifactId,
  input: ArtifactValues,
  precondition: Precondition,
  tracker?: TrackerId,
): Promise<WrittenChange> {
  for (let attempt = 0; attempt < MAX_WRITER_ATTEMPTS; attempt++) {
    const before = await loadArtifactForChange(author, id, precondition, tracker)
    if (!before) continue
    const target = { access: before.access, found: before }
    const draft = await decideVersion(author, target, input)
    if (isIdle(draft)) return { before, written: undefined, draft }
    const written = await writeVersion(work, author, target, draft)
    if (written) return { before, written, draft }
  }
  throw new ApiError('unavailable')
}
