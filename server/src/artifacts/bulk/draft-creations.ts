import { ApiError } from '../../platform/messages/errors.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { decideVersion } from '../update-artifact/decide.ts'
import { loadTrackerForCreation } from '../update-artifact/load.ts'
import type { ArtifactValues } from '../update-artifact/schemas.ts'
import type { Author, VersionDraft, WriteTarget } from '../update-artifact/version-draft.ts'
import { batchedLookups } from './batched-lookups.ts'

/** Drafts of new artifacts for one state of their tracker: each is either writable or refused. */
export interface Drafted {
  readonly author: Author
  readonly target: WriteTarget
  readonly drafts: readonly (VersionDraft | ApiError)[]
}

/** Drafts the lines concurrently. An error refuses all of them. */
export async function draftCreations(
  author: Author,
  id: TrackerId,
  inputs: readonly ArtifactValues[],
): Promise<Drafted | ApiError> {
  try {
    const target = { access: await loadTrackerForCreation(author, id), found: undefined }
    const together = { ...author, lookups: batchedLookups(author) }
    const drafts = await Promise.all(inputs.map((input) => decideVersion(together, target, input).catch(refusalIn)))
    return { author, target, drafts }
  } catch (error) {
    return refusalIn(error)
  }
}

export function refusalIn(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  throw error
}

/** True if an earlier line may have removed the cause of the refusal. */
export function mayDependOnEarlierLines({ details }: ApiError): boolean {
  return [details, ...(details?.all ?? [])].some(
    (each) => each?.cause !== undefined && CAUSES_FROM_EARLIER_LINES.has(each.cause),
  )
}

// An earlier line may create a link target, or make its author a valid list value.
const CAUSES_FROM_EARLIER_LINES: ReadonlySet<string> = new Set([
  'link_target_unknown',
  'link_source_unknown',
  'user_unknown',
])
