import { useQuery } from '@tanstack/react-query'
import type { NotificationThread } from '@waypost/sdk/api'
import { useEffect, useRef } from 'react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ApiCall } from '../design/api-snippets.tsx'
import { ChoiceMenu } from '../design/choice-menu.tsx'
import { PageLayout } from '../design/page.tsx'
import segments from '../design/segments.module.css'
import { myProjectsQuery } from '../projects/projects-queries.ts'
import { FILTER_PARAMETERS } from './inbox-query.ts'
import { INBOX_FILTERS, type InboxFilter, type InboxSearch } from './inbox-search.ts'
import { describeThread } from './describe-thread.ts'
import { ReadAll, ThreadList, useInbox } from './inbox.tsx'
import styles from './inbox.module.css'
import { usePeekedId, usePeekLink } from '../peek/peek-link.ts'
import { useHasPeekRoom } from '../shell/use-is-narrow.ts'
import { text } from './messages.ts'

const MAX_THREADS = 100
const ALL_PROJECTS = 0

/** The notifications of the viewer on a screen of their own. */
export function InboxPage() {
  const search = useSearch({ from: '/shell/own/inbox' })
  const { project } = search
  const show: InboxFilter = search.show ?? 'all'
  const parameters = { ...FILTER_PARAMETERS[show], ...(project !== undefined && { project }) }
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  const asked = { filter: show, project, limit: MAX_THREADS }
  const { data } = useInbox(asked)
  const onShow = useReadingPane(data?.threads)
  return (
    <PageLayout
      title={text('inbox.title')}
      actions={
        <span data-menu>
          <ReadAll {...asked} />
        </span>
      }
      isWide
    >
      <Filters shown={show} search={search} unread={data?.unread} />
      {/* Snoozed entries say when they come back. */}
      <ThreadList {...asked} isByDay={show !== 'snoozed'} onShow={onShow} />
      <ApiCall path={`/notifications/threads${query === '' ? '' : `?${query}`}`} />
    </PageLayout>
  )
}

/** On wide screens there is room for the artifact of an entry: that of the first one, until another is chosen. */
function useReadingPane(threads: readonly NotificationThread[] | undefined): ((artifact: number) => void) | undefined {
  const hasRoom = useHasPeekRoom()
  const peeked = usePeekedId()
  const show = usePeekLink()
  const isOver = useRef(false)
  const first = threads?.map((thread) => describeThread(thread).artifact).find((id) => id !== undefined)
  useEffect(() => {
    if (!hasRoom || isOver.current) return
    if (peeked === undefined && first === undefined) return
    isOver.current = true // The reader may close it.
    if (peeked === undefined && first !== undefined) show(first)
  }, [hasRoom, peeked, first])
  return hasRoom ? show : undefined
}

interface FilterProps {
  readonly shown: InboxFilter
  readonly search: InboxSearch
  readonly unread: number | undefined
}

function Filters({ shown, search, unread = 0 }: FilterProps) {
  const { show: _, ...others } = search
  return (
    <div className={styles['filters']}>
      <nav className={styles['kinds']} aria-label={text('inbox.filters')}>
        <span className={segments['segments']}>
          {INBOX_FILTERS.map((filter) => (
            <Link
              key={filter}
              to="/inbox"
              search={filter === 'all' ? others : { ...others, show: filter }}
              className={segments['segment']}
              activeOptions={{ exact: true }}
              {...(filter === shown && { 'data-current': true })}
            >
              {text(`inbox.show.${filter}`)}
              {filter === 'unread' && unread > 0 && <small aria-hidden>{unread}</small>}
            </Link>
          ))}
        </span>
      </nav>
      <ProjectFilter search={search} />
    </div>
  )
}

/** The projects of the viewer. */
function ProjectFilter({ search: { project = ALL_PROJECTS, ...others } }: { readonly search: InboxSearch }) {
  const { data: projects = [] } = useQuery(myProjectsQuery)
  const navigate = useNavigate()
  if (projects.length === 0) return null
  return (
    <ChoiceMenu
      isBare
      isQuiet
      label={text('inbox.project')}
      value={project}
      options={[
        { value: ALL_PROJECTS, label: text('inbox.all_projects') },
        ...projects.map(({ id, label }) => ({ value: id, label })),
      ]}
      onChange={(id) =>
        void navigate({ to: '/inbox', search: id === ALL_PROJECTS ? others : { ...others, project: id } })
      }
    />
  )
}
