import { sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import { allOf } from '../platform/database/conditions.ts'
import type { Context } from '../platform/operation/context.ts'
import { joinProject } from '../projects/project-sql.ts'
import type { QuickQuery, QuickTracker } from '../projects/search/quick-kind.ts'
import { containsWord, matchesAllTerms, searchWords, SEAM_SQL } from '../projects/search/search-terms-sql.ts'
import { isMemberOf } from '../projects/visibility.ts'
import { accessVersion, type LoadedTracker, stampsOf } from './load-tracker.ts'
import { projectReferenceOf } from './represent-tracker.ts'
import type { TrackerId } from './tracker.ts'
import { maySeeTracker } from './visibility.ts'

// Trackers are created by hand, so there are few: a sequential scan needs no index.
const trackerNames = sql`searchable(tracker.label || ${SEAM_SQL} || tracker.item_name)`

/** Trackers by label or item name, those in projects of the viewer first. */
export async function findQuickTrackers({
  context,
  viewer,
  terms,
  project,
  limit,
}: QuickQuery): Promise<QuickTracker[]> {
  const rows = aliases('tracker', 'project')
  const parts = searchWords(terms).map((part) => containsWord(trackerNames, part))
  const isWithin = project === undefined ? sql`true` : sql`tracker.project_id = ${project}`
  const { rows: found } = await sql<{ id: TrackerId; stamp: string }>`
    select tracker.id, ${accessVersion} as stamp, ${isMemberOf(viewer, rows)} as is_near from tracker ${joinProject(sql`tracker.project_id`)}
    where ${allOf(parts)} and ${matchesAllTerms(trackerNames, terms)} and ${isWithin} and ${maySeeTracker(viewer, rows)}
    order by is_near desc, tracker.label collate waypost, tracker.id limit ${limit}`.execute(context.db)
  const trackers: QuickTracker[] = []
  for (const { id, stamp } of found) {
    const tracker = await context.trackers.at(context.db, id, stamp)
    if (tracker) trackers.push(representQuickTracker(tracker)) // Else it was purged concurrently.
  }
  return trackers
}

/** Without permission checks: the viewer has seen artifacts of them. */
export async function loadQuickTrackers(context: Context, ids: readonly TrackerId[]): Promise<QuickTracker[]> {
  const { rows } = await sql<{ stamps: { id: TrackerId; stamp: string }[] | null }>`
    select ${stampsOf(sql`${ids}::bigint[]`)} as stamps`.execute(context.db)
  const loaded = await Promise.all(
    (rows[0]?.stamps ?? []).map(({ id, stamp }) => context.trackers.at(context.db, id, stamp)),
  )
  return loaded.flatMap((tracker) => (tracker ? [representQuickTracker(tracker)] : []))
}

export function representQuickTracker(tracker: LoadedTracker): QuickTracker {
  const { id, label, item_name, color_name, project } = tracker
  return {
    id,
    uri: `trackers/${id}`,
    html_url: `/trackers/${id}`,
    label,
    item_name,
    color_name,
    project: { ...projectReferenceOf(tracker), shortname: project.shortname },
  }
}
