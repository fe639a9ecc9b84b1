import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { Tracker } from '@waypost/sdk/api'
import { Plus, Settings } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSession } from '../accounts/session.ts'
import { failureOf } from '../api.ts'
import { buttonClass } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { TrackerMark } from '../design/marks.tsx'
import { Hidden, Loading, PageLayout } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { StatusProvider } from '../field-types/status.tsx'
import { StarButton } from '../personal-lists/star.tsx'
import { WatchMenu } from '../notifications/watch-menu.tsx'
import { useSeen } from '../personal-lists/use-seen.ts'
import { text } from './messages.ts'
import { trackerQuery } from './tracker-query.ts'
import { TrackerViews } from './tracker-views.tsx'
import styles from './tracker-views.module.css'
import { ProjectLink } from './place-links.tsx'

interface Props {
  id: string
  /** Shows the instructions for the list of artifacts. */
  hasInstructions?: boolean
  /** Stands over the whole width, below the bar with the title. */
  banner?: (tracker: Tracker) => ReactNode
  children: (tracker: Tracker) => ReactNode
}

/** The layout of all views of a tracker, and the notice for an unknown one. */
export function TrackerFrame({ id, hasInstructions = false, banner, children }: Props) {
  const { data: tracker, error, refetch } = useQuery(trackerQuery(Number(id)))
  const { data: session } = useSession()
  useSeen('tracker', tracker?.id)
  const status = failureOf(error)?.status
  if (!tracker && (status === 404 || status === 400 || (status === 401 && !session)))
    return (
      <PageLayout title={text('table.absent')} lead={text(session ? 'table.absent.lead' : 'table.absent.anonymous')}>
        {null}
      </PageLayout>
    )
  if (!tracker)
    return (
      <PageLayout title={text('tracker')}>
        {error ? <RefusalNotice error={error} onRetry={() => void refetch()} /> : <Loading />}
      </PageLayout>
    )
  const { browse } = tracker.instructions
  return (
    <PageLayout
      title={tracker.label}
      lead={hasInstructions && browse !== '' ? browse : undefined}
      above={<ProjectLink project={tracker.project} />}
      mark={<TrackerMark label={tracker.label} color={tracker.color_name} />}
      star={<StarButton kind="tracker" id={tracker.id} />}
      actions={
        <TrackerViews id={id}>
          {session && <WatchMenu kind="tracker" id={tracker.id} form="icon" />}
          {session && <Actions id={id} mayAdminister={tracker.permissions_for_groups !== null} />}
        </TrackerViews>
      }
      isWide
      banner={banner?.(tracker)}
    >
      <StatusProvider tracker={tracker}>{children(tracker)}</StatusProvider>
    </PageLayout>
  )
}

function Actions({ id, mayAdminister }: { id: string; mayAdminister: boolean }) {
  const { at } = useSearch({ strict: false })
  return (
    <>
      {mayAdminister && (
        <Link
          to="/trackers/$tracker/administration/elements"
          params={{ tracker: id }}
          className={buttonClass('icon')}
          title={text('administration.title')}
        >
          <Icon of={Settings} />
          <Hidden>{text('administration.title')}</Hidden>
        </Link>
      )}
      {at === undefined && (
        <Link
          to="/trackers/$tracker/new"
          params={{ tracker: id }}
          className={`${buttonClass('primary')} ${styles['create']}`}
        >
          <Icon of={Plus} />
          <span>{text('new.artifact')}</span>
        </Link>
      )}
    </>
  )
}
