import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { artifactQuery } from '../artifacts/artifact-queries.ts'
import { projectQuery } from '../projects/projects-queries.ts'
import { projectOfTrackerQuery, trackerQuery } from '../trackers/tracker-query.ts'

export interface CurrentPlace {
  /** The project of the screen, or of its tracker or artifact. */
  readonly project:
    | { readonly id: number; readonly shortname: string; readonly label: string; readonly icon: string }
    | undefined
  readonly tracker: number | undefined
}

/** The project and the tracker of the current screen. The screen itself loads them; this reads the cache. */
export function useCurrentPlace(): CurrentPlace {
  const { pathname } = useLocation()
  const [, room, name = ''] = pathname.split('/')
  const number = Number(name)
  const { data: open } = useQuery({ ...artifactQuery(number), enabled: false })
  const isArtifact = room === 'artifacts' && open !== undefined
  const tracker = isArtifact ? open.tracker.id : room === 'trackers' ? number : undefined
  const { data: shownTracker } = useQuery({ ...trackerQuery(tracker ?? 0), enabled: false })
  const { data: byId } = useQuery({ ...projectOfTrackerQuery(shownTracker?.project.id ?? 0), enabled: false })
  const { data: byName } = useQuery({ ...projectQuery(name), enabled: false })
  const project = tracker !== undefined ? byId : room === 'projects' ? byName : undefined
  return {
    tracker,
    project: project
      ? { id: project.id, shortname: project.shortname, label: project.label_without_icon, icon: project.icon }
      : undefined,
  }
}
