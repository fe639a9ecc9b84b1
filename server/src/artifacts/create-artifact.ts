import { type Static, Type } from 'typebox'
import { requireAccount } from '../accounts/refusals.ts'
import { isId } from '../platform/database/ids.ts'
import { writeRoute } from '../platform/http/route.ts'
import type { FreeWork } from '../platform/http/work.ts'
import { TURNS_OF_WRITERS, untilUnchanged } from '../platform/operation/until-unchanged.ts'
import { ApiError } from '../platform/words/errors.ts'
import { findTracker, requireActiveProject } from '../trackers/find-tracker.ts'
import type { Sight } from '../trackers/sight.ts'
import type { TrackerId } from '../trackers/tracker.ts'
import { type Artifact, versionOf } from './artifact.ts'
import { sealNamedFiles } from './attachments/seal-named-files.ts'
import type { FoundArtifact } from './reading/find-artifact.ts'
import { ArtifactRepresentation, representArtifact } from './reading/represent-artifact.ts'
import { findWritten } from './writing/answer.ts'
import { type Author, type Draft, draftVersion, type Target } from './writing/draft-version.ts'
import { draftFromTitle } from './writing/from-artifact.ts'
import { rehearsed } from './writing/rehearsed.ts'
import { reportVersion } from './writing/report.ts'
import { saveVersion } from './writing/save-version.ts'
import { ArtifactValues, requireCommentLength } from './writing/schemas.ts'

const NewArtifact = Type.Object(
  {
    tracker: Type.Object({ id: Type.Integer() }, { absent: 'tracker_missing' }),
    ...ArtifactValues,
    from_artifact: Type.Optional(
      Type.Object({ id: Type.Integer() }, { description: 'Only its title is taken, and no rule is checked.' }),
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

/** What only a real creation gives. */
export const GIVEN_BY_CREATION = [
  'id',
  'uri',
  'xref',
  'html_url',
  'changesets_uri',
  'submitted_on',
  'last_modified_date',
] as const

export const createArtifact = writeRoute({
  method: 'POST',
  path: '/artifacts',
  operationId: 'createArtifact',
  summary: 'Create an artifact.',
  access: 'signed_in',
  action: null,
  singleStatement: true,
  versioned: 'dated',
  givenByWrite: GIVEN_BY_CREATION,
  body: NewArtifact,
  answer: CreatedArtifact,
  status: 201,
  checkBody: requireNewSource,
  prepare: (call) => sealNamedFiles(call, [call.body]),
  async handle({ context, viewer, language, body }, work, refusedFiles) {
    requireAccount(viewer)
    const author = { context, viewer, language, db: work.db, now: context.clock.now(), refusedFiles }
    const { written, target, draft } = await insertInto(work, author, trackerIn(body), body)
    const after = await findWritten(author, target, written)
    if (work.isDryRun) await reportVersion(work, author, undefined, after, draft)
    return answerCreated(author, after, body, work.isDryRun ? draft : undefined)
  },
})

/** A representation that is a reference too, in the form in which the values were sent. */
export async function answerCreated(
  author: Author,
  after: FoundArtifact,
  { values_by_field }: ArtifactValues,
  /** Of a dry run. */
  draft?: Draft,
) {
  const values = values_by_field && Object.keys(values_by_field).length > 0 ? 'by_field' : 'collection'
  const shown = await representArtifact(author, after, { values })
  const answer = draft ? rehearsed(shown, draft, 'creation') : shown
  const uri = values === 'by_field' ? `${answer.uri}?values_format=by_field` : answer.uri
  return {
    body: { ...answer, uri, tracker: { ...answer.tracker, color: after.sight.tracker.color_name } },
    location: uri,
    version: versionOf(after.artifact),
  }
}

function trackerIn({ tracker: { id } }: NewArtifact): TrackerId {
  if (!isId<TrackerId>(id)) throw new ApiError('not_found')
  return id
}

/** Exactly one of the sources of values. */
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
  readonly target: Target
  readonly draft: Draft
}

/** Looks, decides, and writes only if the tracker is still what it was; else it looks again. */
export async function insertInto(work: FreeWork, author: Author, id: TrackerId, input: NewValues): Promise<Created> {
  const { context, db, viewer } = author
  return untilUnchanged(async () => {
    const sight = await findTracker(context, db, viewer, id)
    requireSubmitter(sight)
    requireActiveProject(sight.tracker)
    const target = { sight, found: undefined }
    const draft = input.from_artifact
      ? await draftFromTitle(author, sight, input.from_artifact.id, input.comment)
      : await draftVersion(author, target, input)
    const written = await saveVersion(work, author, target, draft)
    return written && { written, target, draft }
  }, TURNS_OF_WRITERS)
}

/** Whoever may give a value to one field may make an artifact. */
export function requireSubmitter({ tracker, maySubmit }: Sight): void {
  if (!tracker.elements.some((element) => element.is_used && maySubmit(element)))
    throw new ApiError('permission_denied', { cause: 'submit', who_may: ['tracker_admin'] })
}
