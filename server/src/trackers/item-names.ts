import { sql } from 'kysely'
import type { OwnKeywords } from '../projects/references/own-keywords.ts'
import type { Sight } from './sight.ts'
import { maySeeTracker } from './visibility.ts'

/** What the trackers of a project call their artifacts, `bug #12`: words that references begin with. */
export const itemNames: OwnKeywords = {
  known: (viewer) => sql`array(select lower(tracker.item_name) from tracker
    where tracker.project_id = project.id and ${maySeeTracker(viewer)})`,
  kind: { link: '/artifacts/$1', service: 'plugin_tracker' },
}

/** The same from memory: the names of those that the viewer may see. The others are as if they were not there. */
export function itemNamesSeen({ tracker, viewer, groups }: Sight): ReadonlySet<string> {
  const seesAll = viewer.is_site_admin === true || groups.has(4)
  const seen = [...tracker.project.itemNames].filter(
    ([, granted]) => seesAll || granted.some((group) => groups.has(group)),
  )
  return new Set(seen.map(([name]) => name))
}
