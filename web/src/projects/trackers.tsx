import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TrackerMinimal } from '@waypost/sdk/api'
import { Plus } from 'lucide-react'
import { useSession } from '../accounts/session.ts'
import { buttonClass } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { TrackerMark } from '../design/marks.tsx'
import { Empty, Loading, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import rows from '../design/rows.module.css'
import { text } from '../messages/text.ts'
import { lazyPart } from '../shell/lazy-part.tsx'
import styles from './project-page.module.css'
import { openCountsQuery, trackersQuery } from './projects-queries.ts'
import { useMayAdminister } from './use-may-administer.ts'
import { ProgressBar } from '../design/progress-bar.tsx'

const FirstTrackers = lazyPart(async () => (await import('../new-tracker/first-trackers.tsx')).FirstTrackers, {
  fallback: <Loading />,
})

export function Trackers({ project, shortname }: { project: number; shortname: string }) {
  const { data: trackers, error, refetch } = useQuery(trackersQuery(project))
  const mayCreate = useMayAdminister(project)
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
      <ul className={styles['cards']}>
        {trackers?.map((tracker) => (
          <TrackerCard key={tracker.id} tracker={tracker} />
        ))}
      </ul>
    </Panel>
  )
}

/** The name of a tracker, and how much of it is open and closed. */
function TrackerCard({
  tracker,
}: {
  tracker: Pick<TrackerMinimal, 'id' | 'label' | 'color_name' | 'in_new_dropdown'>
}) {
  const { id, label, color_name: color, in_new_dropdown: isOffered = false } = tracker
  const { data: session } = useSession()
  const { data: counts } = useQuery(openCountsQuery(id))
  return (
    <li className={styles['card']}>
      <div className={styles['cardHead']}>
        <TrackerMark label={label} color={color} />
        <div>
          <p className={rows['title']}>
            <Link to="/trackers/$id" params={{ id: String(id) }} search={{}}>
              {label}
            </Link>
          </p>
          <p className={rows['facts']}>{counts && <span>{text('trackers.open', { count: counts.open })}</span>}</p>
        </div>
        {session && isOffered && (
          <Link
            to="/trackers/$tracker/new"
            params={{ tracker: String(id) }}
            aria-label={text('trackers.new.label', { tracker: label })}
            className={buttonClass()}
          >
            <Icon of={Plus} size={14} />
            {text('trackers.new')}
          </Link>
        )}
      </div>
      {counts && counts.total > 0 && (
        <>
          <ProgressBar
            value={counts.total - counts.open}
            max={counts.total}
            label={text('trackers.closed', { closed: counts.total - counts.open, count: counts.total })}
          />
          <p className={rows['facts']}>
            {text('trackers.closed', { closed: counts.total - counts.open, count: counts.total })}
          </p>
        </>
      )}
    </li>
  )
}
