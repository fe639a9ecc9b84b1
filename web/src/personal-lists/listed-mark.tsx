import type { ListedObject } from '@waypost/sdk/api'
import { ProjectMark, TrackerMark } from '../design/marks.tsx'

/** The two letters of a project, or the coloured square of a tracker or of the tracker of an artifact. */
export function ListedMark({ object: { tracker, project } }: { readonly object: ListedObject }) {
  return tracker ? (
    <TrackerMark label={tracker.label} color={tracker.color_name} />
  ) : (
    <ProjectMark id={project.id} label={project.label} />
  )
}
