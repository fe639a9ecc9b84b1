import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TrackerMinimal } from '@waypost/sdk/api'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSession } from '../accounts/session.ts'
import { buttonClass } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { TrackerMark } from '../design/marks.tsx'
import { Empty, Loading, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { lazyPart } from '../design/lazy-part.tsx'
import { Counting } from './counting.tsx'
import { text } from './messages.ts'
import { trackersQuery } from './projects-queries.ts'
import { StatusBar } from './status-bar.tsx'
import { type TrackerHealth, useHealth } from './tracker-health.ts'
import styles from './trackers.module.css'
import { useMayAdminister } from './use-may-administer.ts'

const FirstTrackers = lazyPart(async () => (await import('../new-tracker/first-trackers.tsx')).FirstTrackers, {
  fallback: <Loading />,
})

export function Trackers({ project, shortname }: { project: number; shortname: string }) {
  const { data: trackers, error, refetch } = useQuery(trackersQuery(project))
  const mayCreate = useMayAdminister(project)
  const { trackers: health } = useHealth(project)
  if (error && !trackers) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  const isEmpty = trackers?.length === 0
  const add = mayCreate && !isEmpty && (
    <Link to="/projects/$shortname/trackers/new" params={{ shortname }} search={{}} className={buttonClass()}>
      <Icon of={Plus} size={14} />
      {text('trackers.create')}
    </Link>
  )
  return (
    <Panel title={text('trackers.title')} count={trackers?.length} actions={add} isList>
      {!trackers && <Loading />}
      {isEmpty && mayCreate === false && <Empty>{text('trackers.none')}</Empty>}
      {isEmpty && mayCreate && <FirstTrackers project={{ id: project, shortname }} />}
      {trackers && !isEmpty && (
        <>
          <div className={styles['head']} aria-hidden>
            <span>{text('tracker')}</span>
            <span>{text('project_health.progress')}</span>
            <span>{text('project_health.open')}</span>
            <span>{text('project_health.overdue')}</span>
            <span>{text('project_health.closed_lately.short')}</span>
          </div>
          <ul>
            {trackers.map((tracker) => (
              <TrackerRow key={tracker.id} tracker={tracker} health={health.get(tracker.id)} />
            ))}
          </ul>
        </>
      )}
    </Panel>
  )
}

interface RowProps {
  readonly tracker: Pick<TrackerMinimal, 'id' | 'label' | 'color_name' | 'in_new_dropdown'>
  readonly health: TrackerHealth | undefined
}

/** The name of a tracker, and how much of it is open, late and closed. */
function TrackerRow({ tracker, health }: RowProps) {
  const { id, label, color_name: color, in_new_dropdown: isOffered = false } = tracker
  const { data: session } = useSession()
  const params = { id: String(id) }
  const { overdue, closedLately } = health ?? {}
  return (
    <li className={styles['row']}>
      <p className={styles['name']}>
        <TrackerMark label={label} color={color} />
        <Link to="/trackers/$id" params={params} search={{}}>
          {label}
        </Link>
      </p>
      <div className={styles['progress']}>{health && health.total > 0 && <StatusBar health={health} />}</div>
      <Figure label={text('project_health.open.of')}>{health?.open}</Figure>
      <Figure label={text('project_health.overdue.of')}>
        {overdue && overdue.count > 0 ? (
          <Link to="/trackers/$id" params={params} search={{ q: overdue.q }} className={styles['late']}>
            {overdue.count}
          </Link>
        ) : (
          overdue && overdue.count
        )}
      </Figure>
      <Figure label={text('project_health.closed_lately.of')}>{closedLately}</Figure>
      <span className={styles['new']}>
        {session && isOffered && (
          <Link
            to="/trackers/$tracker/new"
            params={{ tracker: String(id) }}
            aria-label={text('trackers.new.label', { tracker: label })}
            className={buttonClass('quiet')}
          >
            <Icon of={Plus} size={14} />
            {text('trackers.new')}
          </Link>
        )}
      </span>
    </li>
  )
}

/** A number under the name of its column; on a phone, the name follows the number. Null is not counted yet. */
function Figure({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <span className={styles['figure']} data-none={children === undefined}>
      {children === null ? <Counting /> : (children ?? '–')} <span className={styles['unit']}>{label}</span>
    </span>
  )
}
