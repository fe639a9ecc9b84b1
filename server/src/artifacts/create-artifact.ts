import { type Static, Type } from 'typebox'
import { isId } from '../platform/database/ids.ts'
import { writeRoute } from '../platform/http/route.ts'
import type { ReplayedReply } from '../platform/http/route-call.ts'
import type { StatementWriteContext } from '../platform/http/write-context.ts'
import { MAX_WRITER_ATTEMPTS, retryOnConflict } from '../platform/operation/retry-on-conflict.ts'
import { ApiError } from '../platform/messages/errors.ts'
import type { TrackerId } from '../trackers/tracker.ts'
import { type Artifact, artifactVersion } from './artifact.ts'
import { sealNamedFiles } from './attachments/seal-named-files.ts'
import type { FoundArtifact } from './reading/find-artifact.ts'
import type { Audience } from './reading/audience.ts'
import { ArtifactRepresentation, representArtifact } from './reading/represent-artifact.ts'
import { decideVersion } from './update-artifact/decide.ts'
import { decideFromTitle } from './update-artifact/decide-from-title.ts'
import { reportVersion } from './update-artifact/dry-run-report.ts'
import { toDryRunResponse } from './update-artifact/dry-run-response.ts'
import { loadTrackerForCreation } from './update-artifact/load.ts'
import { readAfterWrite, replayArtifact } from './update-artifact/respond.ts'
import { ArtifactValues, requireCommentLength } from './update-artifact/schemas.ts'
import type { Author, VersionDraft, WriteTarget } from './update-artifact/version-draft.ts'
import { writeVersion } from './update-artifact/write.ts'

const NewArtifact = Type.Object(
  {
    tracker: Type.Object({ id: Type.Integer() }, { absent: 'tracker_missing' }),
    ...ArtifactValues,
    from_artifact: Type.Optional(
      Type.Object({ id: Type.Integer() }, { description: 'Copies only its title; no rule is checked.' }),
    ),
  },
  { absent: 'tracker_missing' },
)
type NewArtifact = Static<typeof NewArtifact>
type NewValues = ArtifactValues & Pick<NewArtifact, 'from_artifact'>

export const CreatedArtifact = Type.Object(
  {
    ...ArtifactRepresentation.properties,
    tracker: Type.Object({ id: Type.Integer(), color: Type.String() }, { additionalProperties: Type.Unknown() }),
  },
  { title: 'CreatedArtifact' },
)

/** Members that only a real creation assigns; null in a dry run. */
export const GIVEN_BY_CREATION = [
  'id',
  'uri',
  'xref',
  'html_url',
  'changesets_uri',
  'resources',
  'submitted_on',
  'last_modified_date',
] as const

export const createArtifact = writeRoute({
  method: 'POST',
  path: '/artifacts',
  operationId: 'createArtifact',
  summary: 'Create an artifact.',
  description:
    'Creates an artifact, with values by field id (`values`) or by field name (`values_by_field`). Everyone who may submit in the tracker. Every problem of fields, rules and workflow is listed in `details.all`.',
  access: 'signed_in',
  action: null,
  notifies: true,
  singleStatement: true,
  versioned: 'dated',
  dryRun: { omits: GIVEN_BY_CREATION },
  body: NewArtifact,
  answer: CreatedArtifact,
  status: 201,
  bodyRules: { check: requireNewSource },
  prepare: (call) => sealNamedFiles(call, [call.body]),
  async handle({ context, viewer, language, body }, work, refusedFiles) {
    const { db, isDryRun, origin } = work
    const { isSilent } = origin
    const author = { context, viewer, language, db, now: context.clock.now(), refusedFiles, isDryRun, isSilent }
    const { written, target, draft } = await insertInto(work, author, trackerIn(body), body)
    const after = await readAfterWrite(author, target, written)
    if (work.isDryRun) await reportVersion(work, author, undefined, after, draft)
    return answerCreated(author, after, body, work.isDryRun ? draft : undefined)
  },
  replay: ({ context, viewer, language, body }, stored) =>
    replayCreated({ context, db: context.db, viewer, language }, stored, body),
})

/** The full representation plus the reference members, in the form in which the values were sent. */
export async function answerCreated(
  author: Author,
  after: FoundArtifact,
  given: ArtifactValues,
  /** Set for a dry run. */
  draft?: VersionDraft,
) {
  const values = formOf(given)
  const shown = await representArtifact(author, after, { values })
  return describeCreated(after, draft ? toDryRunResponse(shown, draft, 'creation') : shown, values)
}

/** The same for a replayed request (idempotency key). */
export async function replayCreated(audience: Audience, stored: ReplayedReply, given: ArtifactValues) {
  const values = formOf(given)
  const { found, shown } = await replayArtifact(audience, stored, values)
  return describeCreated(found, shown, values)
}

function formOf({ values_by_field }: ArtifactValues): 'by_field' | 'collection' {
  return values_by_field && Object.keys(values_by_field).length > 0 ? 'by_field' : 'collection'
}

function describeCreated(after: FoundArtifact, answer: ArtifactRepresentation, values: 'by_field' | 'collection') {
  const uri = values === 'by_field' ? `${answer.uri}?values_format=by_field` : answer.uri
  return {
    body: { ...answer, uri, tracker: { ...answer.tracker, color: after.access.tracker.color_name } },
    location: uri,
    version: artifactVersion(after.artifact),
  }
}

function trackerIn({ tracker: { id } }: NewArtifact): TrackerId {
  if (!isId<TrackerId>(id)) throw new ApiError('not_found')
  return id
}

/** Requires exactly one source of values. */
export function requireNewSource({ values, values_by_field, from_artifact, comment }: NewValues): void {
  const given = [
    values && values.length > 0 && 'values',
    values_by_field && Object.keys(values_by_field).length > 0 && 'values_by_field',
    from_artifact && 'from_artifact',
  ].filter((name) => typeof name === 'string')
  if (given[1] !== undefined)
    throw new ApiError('parameter_conflict', { path: given[1], cause: 'value_sources_conflict' })
  if (given[0] === undefined)
    throw new ApiError('parameter_required', { path: 'values', rule: 'required', cause: 'value_source_missing' })
  requireCommentLength(comment)
}

interface Created {
  readonly written: Artifact
  readonly target: WriteTarget
  readonly draft: VersionDraft
}

/** Optimistic concurrency: load, decide, write only if the tracker is unchanged; otherwise retry. */
export async function insertInto(
  work: StatementWriteContext,
  author: Author,
  id: TrackerId,
  input: NewValues,
): Promise<Created> {
  return retryOnConflict(async () => {
    const access = await loadTrackerForCreation(author, id)
    const target = { access, found: undefined }
    const draft = input.from_artifact
      ? await decideFromTitle(author, access, input.from_artifact.id, input.comment)
      : await decideVersion(author, target, input)
    const written = await writeVersion(work, author, target, draft)
    return written && { written, target, draft }
  }, MAX_WRITER_ATTEMPTS)
}
