import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ProjectReference } from '@waypost/sdk/api'
import { projectOfTrackerQuery } from '../trackers/tracker-query.ts'

interface Props {
  readonly tracker: { readonly id: number; readonly label: string; readonly project: ProjectReference }
}

/** The path to an artifact: its project and the table of its tracker. */
export function Breadcrumb({ tracker: { id, label, project } }: Props) {
  const { data } = useQuery(projectOfTrackerQuery(project.id))
  return (
    <>
      {data ? (
        <Link to="/projects/$shortname" params={{ shortname: data.shortname }}>
          {project.label}
        </Link>
      ) : (
        project.label
      )}
      {' / '}
      <Link to="/trackers/$id" params={{ id: String(id) }} search={{}}>
        {label}
      </Link>
    </>
  )
}
