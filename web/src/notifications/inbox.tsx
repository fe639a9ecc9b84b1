import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CheckCheck, Inbox as InboxIcon } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { Empty, Loading, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { lazyPart } from '../shell/lazy-part.tsx'
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
  /** Stands below the title: the choice of the filter. */
  readonly filters?: ReactNode
}

/** Notifications grouped by artifact, newest first. */
export function Inbox({ filter = 'all', project, limit, filters }: Props) {
  const asked = { ...inboxQuery(filter, project, limit), placeholderData: keepPreviousData }
  const { data, error, refetch } = useQuery(asked)
  const [snoozed, setSnoozed] = useState<SnoozedEntry>()
  const list = useRef<HTMLUListElement>(null)
  const threads = data?.threads ?? []
  useLiveInbox()
  useThreadKeys(list, threads, setSnoozed)
  if (error && !data) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  const readAll = data !== undefined && data.unread > 0 && threads.length > 0 && filter !== 'snoozed' && (
    <Button kind="quiet" onPress={() => void markAllThreads(threads)}>
      <Icon of={CheckCheck} />
      {text('inbox.read_all')}
    </Button>
  )
  const left = data ? data.size - threads.length : 0
  const none =
    project !== undefined
      ? 'inbox.none_in_project'
      : filter === 'all'
        ? 'inbox.none'
        : (`inbox.none.${filter}` as const)
  const snoozedThread = threads.find(({ id }) => id === snoozed?.id)
  return (
    <Panel title={text('inbox.title')} count={data?.unread} actions={readAll} isList>
      {filters}
      {!data && <Loading />}
      {data && threads.length === 0 && <Empty icon={InboxIcon}>{text(none)}</Empty>}
      <ul ref={list} className={styles['list']} data-row-list>
        {threads.map((thread) => (
          <ThreadRow key={thread.id} thread={thread} onSnooze={setSnoozed} />
        ))}
      </ul>
      {left > 0 && (
        <Link to="/inbox" search={{}} className={styles['left']}>
          {text('inbox.left', { count: left })}
        </Link>
      )}
      {snoozed && snoozedThread && (
        <SnoozeMenu thread={snoozedThread} anchor={snoozed.anchor} onClose={() => setSnoozed(undefined)} />
      )}
    </Panel>
  )
}
