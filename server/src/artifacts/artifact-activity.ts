import { latestEvents } from '../platform/database/events.ts'
import { isId } from '../platform/database/ids.ts'
import { escapeHtml } from '../platform/wire/html.ts'
import type { Activity, Asked, RecentActivity } from '../projects/activity/activity-source.ts'
import type { ArtifactId } from './artifact.ts'
import { findInOrder, type FoundArtifact } from './reading/find-artifact.ts'
import { titleOf } from './reading/title.ts'

const TOLD = ['artifact.created', 'artifact.updated']
/** One artifact is shown once, however often it was changed. */
const EVENTS_FOR_ONE = 5

/** The artifacts of a project that were made or changed last. */
export async function artifactActivity({ context, viewer, project, limit }: Asked): Promise<RecentActivity> {
  const { db } = context
  const events = await latestEvents(db, project.id, TOLD, limit * EVENTS_FOR_ONE)
  const ids = [...new Set(events.flatMap(({ object }) => idIn(object ?? '')))].slice(0, limit)
  const found = await findInOrder(context, db, viewer, ids, { extent: 'head' })
  return { activities: found.map(describe), hides: found.length < ids.length }
}

/** When and by whom is what the artifact itself says, and no more. */
function describe(found: FoundArtifact): Activity {
  const { artifact, sight } = found
  const name = escapeHtml(`${sight.tracker.item_name} #${artifact.id}`)
  const title = titleOf(found)
  return {
    on: artifact.last_modified_date,
    html_message: `<a href="/artifacts/${artifact.id}">${name}</a>${title ? ` ${escapeHtml(title)}` : ''}`,
    icon_name: 'fa-list-ol',
    actor_id: artifact.last_update_by,
  }
}

function idIn(object: string): ArtifactId[] {
  const id = Number(object.split('/')[1])
  return isId<ArtifactId>(id) ? [id] : []
}
