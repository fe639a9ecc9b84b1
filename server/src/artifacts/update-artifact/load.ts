import type { IncomingHttpHeaders } from 'node:http'
import { hiddenError } from '../../accounts/auth-errors.ts'
import { isConditional, requirePrecondition } from '../../platform/wire/etag.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { findTracker, requireTrackerAdmin } from '../../trackers/find-tracker.ts'
import { requireActiveProject } from '../../trackers/load-tracker.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { type ArtifactId, artifactVersion } from '../artifact.ts'
import { type FoundArtifact, tryFindArtifact } from '../reading/find-artifact.ts'
import type { Author } from './version-draft.ts'

/** The version that the writer has read. Undefined members: any version. */
export type Precondition = Pick<IncomingHttpHeaders, 'if-match' | 'if-unmodified-since'>

/**
 * The artifact as its author sees it, if they may change this version of it. Undefined if its tracker changed while it
 * was read: the caller reads it again. `tracker`: the only tracker that it may be in.
 */
export async function loadArtifactForChange(
  { context, db, viewer, isSilent }: Author,
  id: ArtifactId,
  precondition: Precondition,
  tracker?: TrackerId,
): Promise<FoundArtifact | undefined> {
  const found = await tryFindArtifact(context, db, viewer, id)
  if (!found) return undefined
  if (tracker !== undefined && found.artifact.tracker_id !== tracker) throw hiddenError(viewer)
  if (isSilent) requireTrackerAdmin(found.access)
  requireChangeable(found, precondition)
  return found
}

/** Requires the version that the writer has read, and an active project. */
export function requireChangeable(found: FoundArtifact, precondition: Precondition): void {
  requireCurrentVersion(found, precondition)
  requireActiveProject(found.access.tracker)
}

export function requireCurrentVersion({ access, artifact }: FoundArtifact, precondition: Precondition): void {
  if (isConditional(precondition)) requirePrecondition(precondition, artifactVersion(artifact))
  else if (access.tracker.settings.require_precondition) throw new ApiError('precondition_required')
}

/** The tracker of a new artifact, if its author may submit at least one field. */
export async function loadTrackerForCreation(
  { context, db, viewer, isSilent }: Author,
  id: TrackerId,
): Promise<TrackerAccess> {
  const access = await findTracker(context, db, viewer, id)
  if (isSilent) requireTrackerAdmin(access)
  const { tracker, maySubmit } = access
  if (!tracker.elements.some((element) => element.is_used && maySubmit(element)))
    throw new ApiError('permission_denied', { cause: 'submit', who_may: ['tracker_admin'] })
  requireActiveProject(tracker)
  return access
}
