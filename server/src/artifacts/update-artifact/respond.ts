import { isId } from '../../platform/database/ids.ts'
import type { ReplayedReply, RouteReply } from '../../platform/http/route-call.ts'
import type { StatementWriteContext } from '../../platform/http/write-context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { FieldType } from '../../trackers/field-types/field-type.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import { type Artifact, type ArtifactId, artifactVersion } from '../artifact.ts'
import { loadVersion } from '../history/find-past-artifact.ts'
import { findArtifact, findArtifactUnchecked, type FoundArtifact } from '../reading/find-artifact.ts'
import type { Audience } from '../reading/audience.ts'
import {
  type ArtifactRepresentation,
  represent,
  representArtifact,
  withResources,
} from '../reading/represent-artifact.ts'
import { reportVersion } from './dry-run-report.ts'
import { toDryRunResponse } from './dry-run-response.ts'
import type { Author, VersionDraft, WriteTarget } from './version-draft.ts'

type ValuesForm = 'all' | 'by_field' | 'collection'

/** The outcome of a change. */
export interface WrittenChange {
  readonly before: FoundArtifact
  /** Undefined if the artifact already had these values. */
  readonly written: Artifact | undefined
  readonly draft: VersionDraft
}

/** The artifact after the change, limited to what its author may read; in a dry run, reports the change too. */
export async function respondToChange(
  work: StatementWriteContext,
  author: Author,
  change: WrittenChange,
  values: ValuesForm,
): Promise<RouteReply<ArtifactRepresentation>> {
  const { before, written, draft } = change
  const after = await readAfterChange(author, change)
  if (work.isDryRun) await reportVersion(work, author, before, after, draft)
  const answer = await representArtifact(author, after, { values })
  const body = work.isDryRun && written ? toDryRunResponse(answer, draft, 'version') : answer
  return { body, version: artifactVersion(after.artifact) }
}

export async function readAfterChange(
  author: Audience,
  { before, written, draft }: WrittenChange,
): Promise<FoundArtifact> {
  return written ? readAfterWrite(author, { access: before.access, found: before }, written, draft) : before
}

/**
 * Read-after-write: the artifact as its author sees it now. An author who no longer sees it, by this write or a
 * concurrent one, still gets the values they were allowed to write.
 */
export async function readAfterWrite(
  audience: Audience,
  { access, found }: WriteTarget,
  after: Artifact,
  draft?: VersionDraft,
): Promise<FoundArtifact> {
  const { context, db, viewer } = audience
  if (found && draft && isUnaffected(found, draft)) return { ...found, artifact: after }
  try {
    return await findArtifact(context, db, viewer, after.id)
  } catch (error) {
    const isHidden = error instanceof ApiError && error.status === 404
    const written = isHidden ? await findArtifactUnchecked(db, access, after.id) : undefined
    if (!written) throw error
    return { ...written, artifact: after }
  }
}

/** Numbers, dates and plain lists affect neither visibility nor the read context, so nothing is read again. */
function isUnaffected({ access: { tracker } }: FoundArtifact, draft: VersionDraft): boolean {
  if (draft.reverse.length > 0 || draft.comment) return false
  return [...draft.changes.keys()].every((id) => {
    const element = tracker.byId.get(id)
    return element !== undefined && isPlain(fieldTypeOf(element)) && element.bind?.type !== 'users'
  })
}

function isPlain(type: FieldType): boolean {
  return !type.texts && !type.holdsLinks && !type.controlsVisibility && type.list !== 'open'
}

interface ReplayedArtifact {
  readonly found: FoundArtifact
  readonly shown: ArtifactRepresentation
}

/** The version that an earlier identical request wrote, as its author may read it now. */
export async function replayArtifact(
  audience: Audience,
  { version }: ReplayedReply,
  values: ValuesForm,
): Promise<ReplayedArtifact> {
  const { context, db, viewer } = audience
  const id = Number(version?.id)
  if (!version || !isId<ArtifactId>(id)) throw new ApiError('not_found')
  const now = await findArtifact(context, db, viewer, id)
  if (version.version === now.artifact.version)
    return { found: now, shown: await representArtifact(audience, now, { values }) }
  const { found, reading } = await loadVersion(audience, now, version.version)
  return { found, shown: withResources(audience, represent(audience, found, { values }, reading)) }
}
