import { ApiError } from '../../platform/words/errors.ts'
import { findTracker, requireActiveProject } from '../../trackers/find-tracker.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { requireSubmitter } from '../create-artifact.ts'
import { type Author, type Draft, draftVersion, type Target } from '../writing/draft-version.ts'
import type { ArtifactValues } from '../writing/schemas.ts'
import { sharedLookups } from './shared-lookups.ts'

/** Drafts of new artifacts, in one state of their tracker: each can be written, or is refused. */
export interface Drafted {
  readonly author: Author
  readonly target: Target
  readonly drafts: readonly (Draft | ApiError)[]
}

/** Drafts them side by side. Refused as a whole: none of them may be made. */
export async function draftCreations(
  author: Author,
  id: TrackerId,
  inputs: readonly ArtifactValues[],
): Promise<Drafted | ApiError> {
  try {
    const sight = await findTracker(author.context, author.db, author.viewer, id)
    requireSubmitter(sight)
    requireActiveProject(sight.tracker)
    const target = { sight, found: undefined }
    const together = { ...author, lookups: sharedLookups(author) }
    const drafts = await Promise.all(inputs.map((input) => draftVersion(together, target, input).catch(refusalIn)))
    return { author, target, drafts }
  } catch (error) {
    return refusalIn(error)
  }
}

export function refusalIn(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  throw error
}

/** Whether it was refused for something that lines before it may have made since. */
export function mayBeKnownNow({ details }: ApiError): boolean {
  return [details, ...(details?.all ?? [])].some((each) => each?.cause !== undefined && MADE_BY_LINES.has(each.cause))
}

// Others are linked to, and who has made an artifact can be chosen in lists of such people.
const MADE_BY_LINES: ReadonlySet<string> = new Set(['link_target_unknown', 'link_source_unknown', 'user_unknown'])
