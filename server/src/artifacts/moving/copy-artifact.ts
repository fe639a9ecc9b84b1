import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { requireAccount } from '../../accounts/auth-errors.ts'
import { isId } from '../../platform/database/ids.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { ReplayedReply } from '../../platform/http/route-call.ts'
import { retryOnConflict } from '../../platform/operation/retry-on-conflict.ts'
import { isRecord } from '../../platform/wire/schema-shape.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { otherBeginning } from '../../trackers/workflow/transition.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { sealNamedFiles } from '../attachments/seal-named-files.ts'
import { answerCreated, CreatedArtifact, GIVEN_BY_CREATION, replayCreated } from '../create-artifact.ts'
import { findArtifact } from '../reading/find-artifact.ts'
import { decideVersion } from '../update-artifact/decide.ts'
import { reportVersion } from '../update-artifact/dry-run-report.ts'
import { loadTrackerForCreation } from '../update-artifact/load.ts'
import { readAfterWrite } from '../update-artifact/respond.ts'
import { ValueItem, ValuesByField } from '../update-artifact/schemas.ts'
import { writeVersion } from '../update-artifact/write.ts'
import { copyComments } from './copy-comments.ts'
import { copyValues, namesOfCopied } from './copy-values.ts'
import { MigratedFieldName } from './migrate-values.ts'

const Copy = Type.Object({
  tracker: Type.Optional(Type.Object({ id: Type.Integer() }, { description: 'The target tracker, if not its own.' })),
  values: Type.Optional(Type.Array(ValueItem, { description: 'Values that replace copied ones.' })),
  values_by_field: Type.Optional(ValuesByField),
  links: Type.Optional(Type.Enum(['none', 'forward'], { description: '`none` by default.' })),
  files: Type.Optional(Type.Boolean({ description: 'Includes its attachments; true by default.' })),
  comments: Type.Optional(Type.Boolean({ description: 'Includes its comments, as one text.' })),
})

const Copied = Type.Object({
  fields_copied: Type.Array(MigratedFieldName),
  fields_not_copied: Type.Array(MigratedFieldName),
})

export const copyArtifact = writeRoute({
  method: 'POST',
  path: '/artifacts/:id/copy',
  operationId: 'copyArtifact',
  summary: 'Copy an artifact: the values that you may read and may submit in the target tracker.',
  description:
    'Creates an artifact with the values of another one; `values` override them. Everyone who may see the artifact and submit in the target tracker. Required fields, rules and workflow are checked as for a new artifact; if the workflow does not let it begin in the copied state, it begins in the first one that the caller may choose.',
  access: 'signed_in',
  action: null,
  notifies: true,
  versioned: 'dated',
  dryRun: { omits: GIVEN_BY_CREATION },
  params: { id: idParam<ArtifactId>('The artifact.') },
  body: Copy,
  bodyRules: { isOptional: true, check: requireOneForm },
  answer: Type.Object(
    {
      ...CreatedArtifact.properties,
      copied: Copied,
    },
    { title: 'CopiedArtifact' },
  ),
  status: 201,
  prepare: (call) => sealNamedFiles(call, [call.body ?? {}]),
  async handle({ context, viewer, language, params: { id }, body }, work, refusedFiles) {
    requireAccount(viewer)
    const { tracker, values: items, values_by_field, links = 'none', files = true, comments = false } = body ?? {}
    const given = { ...(items && { values: items }), ...(values_by_field && { values_by_field }) }
    const { tx } = work
    const { isDryRun, origin } = work
    const { isSilent } = origin
    const author = { context, viewer, language, db: tx, now: context.clock.now(), refusedFiles, isDryRun, isSilent }
    const source = await findArtifact(context, tx, viewer, id)
    const goal = tracker?.id ?? source.artifact.tracker_id
    if (!isId<TrackerId>(goal)) throw new ApiError('not_found')
    const comment = await copyComments(author, source, comments)
    return retryOnConflict(async () => {
      const access = await loadTrackerForCreation(author, goal)
      if (!source.access.tracker.settings.allow_copy || !access.tracker.settings.allow_copy)
        throw new ApiError('rule_violated', { cause: 'copy_disabled' })
      const values = await copyValues(author, source, access, { links, files })
      const other = otherBeginning(access, values)
      const kept = other ? new Map([...values].filter(([field]) => field !== other.field)) : values
      const beginning = other ? new Map([...kept, [other.field, [other.state]] as const]) : kept
      const target = { access, found: undefined }
      const draft = await decideVersion(author, target, { ...given, comment }, { beginning })
      const written = await writeVersion(work, author, target, draft)
      if (!written) return undefined
      const after = await readAfterWrite(author, target, written)
      if (work.isDryRun) await reportVersion(work, author, undefined, after, draft)
      const answer = await answerCreated(author, after, given, work.isDryRun ? draft : undefined)
      const copied = namesOfCopied(source, access, given, kept)
      return { ...answer, body: { ...answer.body, copied } }
    })
  },
  async replay({ context, viewer, language, body }, stored) {
    const { values_by_field } = body ?? {}
    const audience = { context, db: context.db, viewer, language }
    const answer = await replayCreated(audience, stored, values_by_field ? { values_by_field } : {})
    return { ...answer, body: { ...answer.body, copied: copiedIn(stored) } }
  },
})

/** Field names only, of fields that the caller could read when the copy was made. */
function copiedIn({ body }: ReplayedReply): Static<typeof Copied> {
  const stored: unknown = body === null ? undefined : JSON.parse(body)
  return isRecord(stored) && Check(Copied, stored['copied'])
    ? stored['copied']
    : { fields_copied: [], fields_not_copied: [] }
}

function requireOneForm({ values, values_by_field }: Static<typeof Copy> = {}): void {
  if (values && values.length > 0 && values_by_field && Object.keys(values_by_field).length > 0)
    throw new ApiError('parameter_conflict', { path: 'values_by_field', cause: 'value_sources_conflict' })
}
