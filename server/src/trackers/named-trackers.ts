import { sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import type { NamedObjects } from '../platform/http/resolve-name.ts'
import { hasShortname, joinProject } from '../projects/project-sql.ts'
import { isMemberOf } from '../projects/visibility.ts'
import { isGranted, maySeeTracker } from './visibility.ts'

/** `/trackers/@orchard.bug`: the short name of the project and the item name of the tracker, which has no dot. */
export const namedTrackers: NamedObjects = {
  collection: 'trackers',
  async findId({ db }, viewer, name) {
    const dot = name.lastIndexOf('.')
    const rows = aliases('tracker', 'project')
    const { rows: found } = await sql<{ id: number }>`
      select tracker.id from tracker ${joinProject(sql`tracker.project_id`)}
      where tracker.deleted_on is null and folded(tracker.item_name) = folded(${name.slice(dot + 1)})
        and ${hasShortname([name.slice(0, Math.max(dot, 0))])} and (${maySeeTracker(viewer, rows)}
        or project.status = 'suspended' and ${isMemberOf(viewer, rows)} and ${isGranted(viewer, rows)})`.execute(db)
    return found[0]?.id
  },
}
