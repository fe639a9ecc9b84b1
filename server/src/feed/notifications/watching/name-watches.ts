import type { ArtifactId } from '../../../artifacts/artifact.ts'
import { type ListedIds, nameListed } from '../../../artifacts/personal-lists/listed-object.ts'
import { toId } from '../../../platform/database/ids.ts'
import type { Viewer } from '../../../platform/http/viewer.ts'
import type { Context } from '../../../platform/operation/context.ts'
import type { ProjectId } from '../../../projects/project.ts'
import type { TrackerId } from '../../../trackers/tracker.ts'
import type { Level } from '../level.ts'

interface Watch {
  readonly object: string
  readonly level: Level
}

/** Adds names and addresses of pages to watches. An object that has become invisible meanwhile is left out. */
export async function nameWatches(context: Context, viewer: Viewer, watches: readonly Watch[]) {
  const named = await nameListed(context, context.db, viewer, watches.map(idsIn))
  return watches.flatMap((watch) => {
    const found = named.get(watch.object)
    return found ? [{ ...watch, label: found.label, xref: found.xref, html_url: found.html_url }] : []
  })
}

/** `artifacts/12`. */
function idsIn({ object }: Watch): ListedIds {
  const [kind, id] = object.split('/')
  const number = Number(id)
  return {
    project_id: kind === 'projects' ? toId<ProjectId>(number) : null,
    tracker_id: kind === 'trackers' ? toId<TrackerId>(number) : null,
    artifact_id: kind === 'artifacts' ? toId<ArtifactId>(number) : null,
  }
}
