import { type Static, Type } from 'typebox'
import { requireAccount } from '../../accounts/refusals.ts'
import { isId } from '../../platform/database/ids.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import { untilUnchanged } from '../../platform/operation/until-unchanged.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { findTracker, requireActiveProject } from '../../trackers/find-tracker.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { sealNamedFiles } from '../attachments/seal-named-files.ts'
import { answerCreated, CreatedArtifact, GIVEN_BY_CREATION, requireSubmitter } from '../create-artifact.ts'
import { findArtifact } from '../reading/find-artifact.ts'
import { findWritten } from '../writing/answer.ts'
import { draftVersion } from '../writing/draft-version.ts'
import { reportVersion } from '../writing/report.ts'
import { saveVersion } from '../writing/save-version.ts'
import { ValueItem, ValuesByField } from '../writing/schemas.ts'
import { copyComments } from './copy-comments.ts'
import { copyValues, namesOfCopied } from './copy-values.ts'
import { FieldName } from './migrate-values.ts'

const Copy = Type.Object({
  tracker: Type.Optional(Type.Object({ id: Type.Integer() }, { description: 'Another than its own.' })),
  values: Type.Optional(Type.Array(ValueItem, { description: 'Instead of what is copied.' })),
  values_by_field: Type.Optional(ValuesByField),
  links: Type.Optional(Type.Enum(['none', 'forward'], { description: 'None, unless said otherwise.' })),
  files: Type.Optional(Type.Boolean({ description: 'With its attachments, unless said otherwise.' })),
  comments: Type.Optional(Type.Boolean({ description: 'With its comments, as one text.' })),
})

export const copyArtifact = writeRoute({
  method: 'POST',
  path: '/artifacts/:id/copy',
  operationId: 'copyArtifact',
  summary: 'Copy an artifact: what you may read of it, and may submit where it goes.',
  access: 'signed_in',
  action: null,
  versioned: 'dated',
  givenByWrite: GIVEN_BY_CREATION,
  params: { id: idParam<ArtifactId>('The artifact.') },
  body: Copy,
  bodyOptional: true,
  answer: Type.Object(
    {
      ...CreatedArtifact.properties,
      copied: Type.Object({ fields_copied: Type.Array(FieldName), fields_not_copied: Type.Array(FieldName) }),
    },
    { title: 'CopiedArtifact' },
  ),
  status: 201,
  checkBody: requireOneForm,
  prepare: (call) => sealNamedFiles(call, [call.body ?? {}]),
  async handle({ context, viewer, language, params: { id }, body }, work, refusedFiles) {
    requireAccount(viewer)
    const { tracker, values, values_by_field, links = 'none', files = true, comments = false } = body ?? {}
    const given = { ...(values && { values }), ...(values_by_field && { values_by_field }) }
    const { tx } = work
    const author = { context, viewer, language, db: tx, now: context.clock.now(), refusedFiles }
    const source = await findArtifact(context, tx, viewer, id)
    const goal = tracker?.id ?? source.artifact.tracker_id
    if (!isId<TrackerId>(goal)) throw new ApiError('not_found')
    const comment = await copyComments(author, source, comments)
    return untilUnchanged(async () => {
      const sight = await findTracker(context, tx, viewer, goal)
      requireSubmitter(sight)
      requireActiveProject(sight.tracker)
      const beginning = await copyValues(author, source, sight, { links, files })
      const target = { sight, found: undefined }
      const draft = await draftVersion(author, target, { ...given, comment }, { beginning })
      const written = await saveVersion(work, author, target, draft)
      if (!written) return undefined
      const after = await findWritten(author, target, written)
      if (work.isDryRun) await reportVersion(work, author, undefined, after, draft)
      const answer = await answerCreated(author, after, given, work.isDryRun ? draft : undefined)
      const copied = namesOfCopied(source, sight, given, beginning)
      return { ...answer, body: { ...answer.body, copied } }
    })
  },
})

function requireOneForm({ values, values_by_field }: Static<typeof Copy> = {}): void {
  if (values && values.length > 0 && values_by_field && Object.keys(values_by_field).length > 0)
    throw new ApiError('parameter_conflict', { path: 'values_by_field', cause: 'value_sources_conflict' })
}
