import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CheckCheck, Inbox as InboxIcon } from 'lucide-react'
import { Fragment, useRef, useState } from 'react'
import { Button } from '../design/button.tsx'
import { dueText, localDay } from '../design/due-day.tsx'
import { Icon } from '../design/icon.tsx'
import { Empty, Loading, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { lazyPart } from '../design/lazy-part.tsx'
import { inboxQuery } from './inbox-query.ts'
import type { InboxFilter } from './inbox-search.ts'
import styles from './inbox.module.css'
import { markAllThreads } from './mark-threads.ts'
import { text } from './messages.ts'
import { ThreadRow } from './thread-row.tsx'
import { useLiveInbox } from './use-live-inbox.ts'
import { type SnoozedEntry, useThreadKeys } from './use-thread-keys.ts'

const SnoozeMenu = lazyPart(async () => (await import('./snooze-menu.tsx')).SnoozeMenu, {
  close: ({ onClose }) => onClose(),
})

interface Props {
  readonly filter?: InboxFilter
  /** The id of a project; undefined: all. */
  readonly project?: number | undefined
  readonly limit: number
}

/** The newest notifications in a panel of another screen. */
export function Inbox({ limit }: Pick<Props, 'limit'>) {
  const { data } = useInbox({ limit })
  return (
    <Panel title={text('inbox.title')} count={data?.unread} actions={<ReadAll limit={limit} />} isList>
      <ThreadList limit={limit} />
    </Panel>
  )
}

/** The threads of a filter. All parts of a screen that ask for the same ones share one request. */
export function useInbox({ filter = 'all', project, limit }: Props) {
  return useQuery({ ...inboxQuery(filter, project, limit), placeholderData: keepPreviousData })
}

export function ReadAll(asked: Props) {
  const { data } = useInbox(asked)
  if (!data || data.unread === 0 || data.threads.length === 0 || asked.filter === 'snoozed') return null
  return (
    <Button kind="quiet" onPress={() => void markAllThreads(data.threads)}>
      <Icon of={CheckCheck} />
      {text('inbox.read_all')}
    </Button>
  )
}

interface ListProps extends Props {
  /** A heading for each day. */
  readonly isByDay?: boolean
  /** Shows an artifact beside the list; absent: its page is opened. */
  readonly onShow?: ((artifact: number) => void) | undefined
}

/** Notifications grouped by artifact, newest first. */
export function ThreadList({ isByDay = false, onShow, ...asked }: ListProps) {
  const { filter = 'all', project } = asked
  const { data, error, refetch } = useInbox(asked)
  const [snoozed, setSnoozed] = useState<SnoozedEntry>()
  const list = useRef<HTMLDivElement>(null)
  const threads = data?.threads ?? []
  useLiveInbox()
  useThreadKeys(list, threads, setSnoozed)
  if (error && !data) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  const left = data ? data.size - threads.length : 0
  const none =
    project !== undefined
      ? 'inbox.none_in_project'
      : filter === 'all'
        ? 'inbox.none'
        : (`inbox.none.${filter}` as const)
  const snoozedThread = threads.find(({ id }) => id === snoozed?.id)
  const today = localDay(new Date())
  const days = Map.groupBy(threads, ({ latest }) => (isByDay ? localDay(new Date(latest.on)) : ''))
  return (
    <div ref={list} className={styles['list']} data-by-day={isByDay || undefined} data-row-list>
      {!data && <Loading />}
      {data && threads.length === 0 && <Empty icon={InboxIcon}>{text(none)}</Empty>}
      {[...days].map(([day, within]) => (
        <Fragment key={day}>
          {day !== '' && <h2 className={styles['day']}>{dueText(day, today)}</h2>}
          <ul>
            {within.map((thread) => (
              <ThreadRow key={thread.id} thread={thread} onSnooze={setSnoozed} onShow={onShow} />
            ))}
          </ul>
        </Fragment>
      ))}
      {left > 0 && (
        <Link to="/inbox" search={{}} className={styles['left']}>
          {text('inbox.left', { count: left })}
        </Link>
      )}
      {snoozed && snoozedThread && (
        <SnoozeMenu thread={snoozedThread} anchor={snoozed.anchor} onClose={() => setSnoozed(undefined)} />
      )}
    </div>
  )
}
