import type { Sight } from '../../trackers/sight.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import type { Draft } from './draft-version.ts'

/** What the feed tells of a version. Which of it a reader may know is decided when it is read. */
export function eventOf(
  { tracker }: Pick<Sight, 'tracker'>,
  found: Pick<FoundArtifact, 'artifact'> | undefined,
  draft: Draft,
) {
  const status = tracker.semantics.status?.field_id
  const moved = status !== undefined && found !== undefined && draft.changes.has(status)
  const jobs = draft.transition?.actions.filter(({ type }) => type === 'run_job').map(({ id }) => id) ?? []
  return {
    type: found ? 'artifact.updated' : 'artifact.created',
    payload: {
      changed: [...draft.changes.keys()],
      has_comment: draft.comment !== null,
      // By their ids only: an address may hold a secret, and the feed is for many.
      ...(jobs.length > 0 && { jobs }),
      ...(draft.comment?.groups && { comment_groups: draft.comment.groups }),
      ...(moved && {
        transition: {
          field_id: status,
          from: firstOf(found.artifact.field_values[String(status)]),
          to: firstOf(draft.changes.get(status)),
        },
      }),
    },
  }
}

function firstOf(stored: unknown): number | null {
  return Array.isArray(stored) && typeof stored[0] === 'number' ? stored[0] : null
}
