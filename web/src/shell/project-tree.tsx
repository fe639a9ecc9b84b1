import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useSession } from '../accounts/session.ts'
import { Icon } from '../design/icon.tsx'
import { ProjectMark, TrackerMark } from '../design/marks.tsx'
import { Hidden } from '../design/page.tsx'
import { formatNumber } from '../messages/format-number.ts'
import { text } from '../messages/text.ts'
import { openCountsQuery, myProjectsQuery, trackersQuery } from '../projects/projects-queries.ts'
import { useOpenProjects } from './open-projects.ts'
import styles from './sidebar.module.css'
import { useCurrentPlace } from './use-current-place.ts'

/** The projects of the viewer and the current one, with their trackers. */
export function ProjectTree() {
  const { data: session } = useSession()
  const { data: mine = [], isSuccess } = useQuery({ ...myProjectsQuery, enabled: Boolean(session) })
  const { project: current, tracker } = useCurrentPlace()
  const { open, set } = useOpenProjects(current?.id)
  const known = mine.map(({ id, shortname, label_without_icon: label, icon }) => ({ id, shortname, label, icon }))
  const projects = !current || known.some(({ id }) => id === current.id) ? known : [...known, current]
  if (isSuccess && projects.length === 0) return <p className={styles['none']}>{text('nav.no_projects')}</p>
  return (
    <ul className={styles['list']}>
      {projects.map(({ id, shortname, label, icon }) => {
        const isOpen = open.has(id)
        const isHere = current?.id === id && tracker === undefined
        return (
          <li key={id}>
            <div className={styles['project']}>
              <button
                type="button"
                className={styles['twist']}
                aria-expanded={isOpen}
                aria-label={text('nav.trackers_of', { project: label })}
                onClick={() => set(id, !isOpen)}
              >
                <Icon of={ChevronRight} size={12} />
              </button>
              <Link
                to="/projects/$shortname"
                params={{ shortname }}
                className={styles['item']}
                data-current={isHere}
                title={label}
              >
                <ProjectMark id={id} label={label} icon={icon} />
                <span className={styles['clipped']} dir="auto">
                  {label}
                </span>
              </Link>
            </div>
            {isOpen && <TrackerList project={id} current={tracker} />}
          </li>
        )
      })}
    </ul>
  )
}

function TrackerList({ project, current }: { readonly project: number; readonly current: number | undefined }) {
  const { data: trackers = [] } = useQuery(trackersQuery(project))
  return (
    <ul className={styles['tree']}>
      {trackers.map(({ id, label, color_name: color }) => (
        <li key={id}>
          <Link
            to="/trackers/$id"
            params={{ id: String(id) }}
            search={{}}
            className={styles['item']}
            data-current={id === current}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            <TrackerMark label={label} color={color} />
            <span className={styles['clipped']} dir="auto">
              {label}
            </span>
            <OpenCount tracker={id} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

function OpenCount({ tracker }: { readonly tracker: number }) {
  const { data: counts } = useQuery(openCountsQuery(tracker))
  if (!counts) return null
  return (
    <span className={styles['count']}>
      <span aria-hidden>{formatNumber(counts.open)}</span>
      <Hidden>{text('trackers.open', { count: counts.open })}</Hidden>
    </span>
  )
}
