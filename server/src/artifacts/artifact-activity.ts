import { findLatestEvents } from '../platform/database/events.ts'
import { isId } from '../platform/database/ids.ts'
import { escapeHtml } from '../platform/wire/html.ts'
import type { ActivityEntry, ActivityQuery, RecentActivity } from '../projects/activity/activity-source.ts'
import type { ArtifactId } from './artifact.ts'
import { findArtifactsInOrder, type FoundArtifact } from './reading/find-artifact.ts'
import { readableTitle } from './reading/title.ts'

const ACTIVITY_EVENT_TYPES = ['artifact.created', 'artifact.updated']
/** Events read per entry: several events of one artifact collapse into one entry. */
const EVENTS_PER_ARTIFACT = 5

/** The most recently created or changed artifacts of a project. */
export async function artifactActivity({ context, viewer, project, limit }: ActivityQuery): Promise<RecentActivity> {
  const { db } = context
  const events = await findLatestEvents(db, project.id, ACTIVITY_EVENT_TYPES, limit * EVENTS_PER_ARTIFACT)
  const ids = [...new Set(events.flatMap(({ object }) => idIn(object ?? '')))].slice(0, limit)
  const found = await findArtifactsInOrder(context, db, viewer, ids, { extent: 'head' })
  return { activities: found.map(describe), hides: found.length < ids.length }
}

/** Date and author come from the artifact, so the entry reveals no more than the artifact does. */
function describe(found: FoundArtifact): ActivityEntry {
  const { artifact, access } = found
  const name = escapeHtml(`${access.tracker.item_name} #${artifact.id}`)
  const title = readableTitle(found)
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
