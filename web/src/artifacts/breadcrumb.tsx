import type { ProjectReference } from '@waypost/sdk/api'
import { ProjectLink, TrackerLink } from '../trackers/place-links.tsx'

interface Props {
  readonly tracker: {
    readonly id: number
    readonly label: string
    readonly color_name?: string
    readonly project: ProjectReference
  }
}

/** The path to an artifact: its project and the table of its tracker. */
export function Breadcrumb({ tracker }: Props) {
  return (
    <>
      <ProjectLink project={tracker.project} />
      <span aria-hidden>/</span>
      <TrackerLink tracker={tracker} />
    </>
  )
}
