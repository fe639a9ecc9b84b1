import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ProjectReference } from '@waypost/sdk/api'
import { ProjectMark, TrackerMark } from '../design/marks.tsx'
import { projectOfTrackerQuery } from './tracker-query.ts'

/** Leads to the project of a tracker; its name alone until the address is known. */
export function ProjectLink({ project: { id, label } }: { readonly project: ProjectReference }) {
  const { data: project } = useQuery(projectOfTrackerQuery(id))
  if (!project) return label
  return (
    <Link to="/projects/$shortname" params={{ shortname: project.shortname }}>
      <ProjectMark id={id} label={project.label_without_icon} icon={project.icon} />
      {label}
    </Link>
  )
}

interface TrackerProps {
  readonly tracker: { readonly id: number; readonly label: string; readonly color_name?: string }
}

/** Leads to the table of a tracker. */
export function TrackerLink({ tracker: { id, label, color_name: color } }: TrackerProps) {
  return (
    <Link to="/trackers/$id" params={{ id: String(id) }} search={{}}>
      <TrackerMark label={label} color={color} />
      {label}
    </Link>
  )
}
