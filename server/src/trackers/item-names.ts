import { sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import type { OwnKeywords } from '../projects/references/own-keywords.ts'
import type { TrackerAccess } from './tracker-access.ts'
import { maySeeTracker } from './visibility.ts'

/** The item names of a project's trackers (`bug #12`), which are keywords of references. */
export const itemNames: OwnKeywords = {
  known: (viewer) => sql`array(select lower(tracker.item_name) from tracker
    where tracker.project_id = project.id and ${maySeeTracker(viewer, aliases('tracker', 'project'))})`,
  kind: { link: '/artifacts/$1', service: 'plugin_tracker' },
}

/** The same from the cache: the item names of the trackers that the viewer may see. */
export function itemNamesSeen({ tracker, viewer, groups }: TrackerAccess): ReadonlySet<string> {
  const seesAll = viewer.is_site_admin === true || groups.has(4)
  const seen = [...tracker.project.itemNames].filter(
    ([, granted]) => seesAll || granted.some((group) => groups.has(group)),
  )
  return new Set(seen.map(([name]) => name))
}
