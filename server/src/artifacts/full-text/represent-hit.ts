import type { QuickArtifact, QuickQuery } from '../../projects/search/quick-kind.ts'
import { representQuickTracker } from '../../trackers/quick-trackers.ts'
import type { ArtifactId } from '../artifact.ts'
import { type FoundArtifact, findArtifactsInOrder } from '../reading/find-artifact.ts'
import { represent } from '../reading/represent-artifact.ts'

/** Visible artifacts only, in the given order. */
export function findHeadsInOrder(
  { context, viewer }: QuickQuery,
  ids: readonly ArtifactId[],
): Promise<FoundArtifact[]> {
  return findArtifactsInOrder(context, context.db, viewer, ids, { extent: 'head' })
}

export function representHit(
  { context, viewer, language }: QuickQuery,
  found: FoundArtifact,
  matched: QuickArtifact['matched'],
  snippet: string | null,
): QuickArtifact {
  const audience = { context, db: context.db, viewer, language }
  const shown = represent(audience, found, { values: 'none' }, undefined)
  const { id, uri, html_url, xref, title, full_status, is_open, assignees, last_modified_date } = shown
  const tracker = representQuickTracker(found.access.tracker)
  const row = { id, uri, html_url, xref, title, tracker, status: full_status, is_open, assignees, last_modified_date }
  return { ...row, matched, snippet }
}
