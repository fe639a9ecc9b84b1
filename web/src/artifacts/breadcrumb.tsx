import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ProjectReference } from '@waypost/sdk/api'
import { ProjectMark, TrackerMark } from '../design/marks.tsx'
import { projectOfTrackerQuery } from '../trackers/tracker-query.ts'

interface Props {
  readonly tracker: {
    readonly id: number
    readonly label: string
    readonly color_name?: string
    readonly project: ProjectReference
  }
}

/** The path to an artifact: its project and the table of its tracker. */
export function Breadcrumb({ tracker: { id, label, color_name: color, project } }: Props) {
  const { data } = useQuery(projectOfTrackerQuery(project.id))
  return (
    <>
      {data ? (
        <Link to="/projects/$shortname" params={{ shortname: data.shortname }}>
          <ProjectMark id={data.id} label={data.label_without_icon} icon={data.icon} />
          {project.label}
        </Link>
      ) : (
        project.label
      )}
      <span aria-hidden>/</span>
      <Link to="/trackers/$id" params={{ id: String(id) }} search={{}}>
        <TrackerMark label={label} color={color} />
        {label}
      </Link>
    </>
  )
}
