import { useQuery, queryOptions } from '@tanstack/react-query'
import type { Notification } from '@waypost/sdk/api'
import { followFeed } from '@waypost/sdk/feed'
import { Inbox as InboxIcon } from 'lucide-react'
import { useEffect } from 'react'
import { api } from '../api.ts'
import { ArtifactLink } from '../artifacts/artifact-link.tsx'
import { Button } from '../design/button.tsx'
import { Avatar } from '../design/marks.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { Empty, Hidden, Loading, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { queryClient } from '../query-client.ts'
import { showToast } from '../shell/toasts.ts'
import { text } from '../messages/text.ts'
import rows from '../design/rows.module.css'
import { describeEvent } from './describe-event.ts'
import styles from './inbox.module.css'
import { showRefusal } from '../shell/show-refusal.ts'
import { Refusal } from '@waypost/sdk/answer'

/** Notifications, newest first. */
export function Inbox() {
  const { data, error, refetch } = useQuery(inboxQuery)
  useLiveInbox()
  if (error && !data) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  const readAll = data !== undefined && data.unread > 0 && (
    <Button onPress={() => void markAll(data.entries)}>{text('inbox.read_all')}</Button>
  )
  return (
    <Panel title={text('inbox.title')} count={data?.unread} actions={readAll} isList>
      {!data && <Loading />}
      {data?.entries.length === 0 && <Empty icon={InboxIcon}>{text('inbox.none')}</Empty>}
      <ul className={styles['list']}>
        {data?.entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
    </Panel>
  )
}

function Entry({ entry }: { entry: Notification }) {
  const { id, title, excerpt, event, why, on, is_read, object } = entry
  const toggle = () => void mark(id, !is_read)
  const artifact = artifactId(object)
  const what = describeEvent(event)
  const isGone = event.type === 'artifact.deleted'
  const name = title ?? (artifact === undefined ? (object ?? what) : text('inbox.artifact', { id: artifact }))
  return (
    <li className={is_read ? styles['entry'] : `${styles['entry']} ${styles['unread']}`}>
      <span className={styles['dot']} aria-hidden />
      <Avatar person={{ id: event.actor?.id ?? null, name: event.actor?.username ?? '?' }} size={32} />
      <div className={styles['body']}>
        <p className={styles['title']}>
          {!is_read && <Hidden>{text('inbox.unread')}</Hidden>}
          {artifact === undefined || isGone ? (
            name
          ) : (
            <ArtifactLink id={artifact} version={event.version}>
              {name}
            </ArtifactLink>
          )}
        </p>
        {excerpt !== '' && <p className={styles['excerpt']}>{excerpt}</p>}
        <p className={rows['facts']}>
          <span>{text('inbox.by', { who: event.actor?.username ?? text('inbox.somebody'), what })}</span>
          <span>{text(`why.${why}`)}</span>
          <RelativeTime at={on} />
        </p>
      </div>
      <Button
        kind="quiet"
        onPress={toggle}
        onKeyDown={(pressed) => {
          if (pressed.key === 'r') toggle()
          else pressed.continuePropagation()
        }}
        aria-label={text(is_read ? 'inbox.mark_unread_what' : 'inbox.mark_read_what', { title: name })}
      >
        {text(is_read ? 'inbox.mark_unread' : 'inbox.mark_read')}
      </Button>
    </li>
  )
}

/** The id of the artifact that the entry is about, if any. */
function artifactId(object: string | null): number | undefined {
  const [, id] = /^artifacts\/(\d+)$/.exec(object ?? '') ?? []
  return id === undefined ? undefined : Number(id)
}

async function mark(id: number, is_read: boolean, isUndo = false): Promise<void> {
  queryClient.setQueryData(inboxQuery.queryKey, (inbox) => inbox && withRead(inbox, [id], is_read))
  const answer = await api.call('PATCH /notifications/{id}', { path: { id }, body: { is_read } })
  if (!answer.ok) showRefusal(answer)
  else if (!isUndo)
    showToast(text(is_read ? 'inbox.marked' : 'inbox.unmarked'), { undo: () => void mark(id, !is_read, true) })
  await queryClient.invalidateQueries(inboxQuery)
}

/** Marks entries up to the newest that is shown; later ones stay unread. */
async function markAll(entries: readonly Notification[]): Promise<void> {
  const newest = entries[0]
  if (!newest) return
  const unread = entries.filter(({ is_read }) => !is_read).map(({ id }) => id)
  queryClient.setQueryData(inboxQuery.queryKey, (inbox) => inbox && withRead(inbox, unread, true))
  const answer = await api.call('POST /notifications/read', { body: { until: newest.id } })
  if (answer.ok) showToast(text('inbox.all_marked'), { undo: () => void unmark(unread) })
  else showRefusal(answer)
  await queryClient.invalidateQueries(inboxQuery)
}

async function unmark(ids: readonly number[]): Promise<void> {
  for (const id of ids) await api.call('PATCH /notifications/{id}', { path: { id }, body: { is_read: false } })
  await queryClient.invalidateQueries(inboxQuery)
}

interface InboxData {
  entries: Notification[]
  unread: number
}

function withRead({ entries, unread }: InboxData, ids: readonly number[], is_read: boolean): InboxData {
  const changed = entries.filter((entry) => ids.includes(entry.id) && entry.is_read !== is_read).length
  return {
    unread: Math.max(0, unread + (is_read ? -changed : changed)),
    entries: entries.map((entry) => (ids.includes(entry.id) ? { ...entry, is_read } : entry)),
  }
}

/** A notification is written shortly after its change. */
const REFRESH_DELAY_MS = 1_500

/**
 * Refetches on events that may notify the viewer. Only while the tab is visible: browsers limit connections per host
 * across tabs.
 */
function useLiveInbox(): void {
  useEffect(() => {
    let stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const listen = async () => {
      for await (const _ of followFeed(api, { types: 'artifact.*,comment.*' }, { signal: stop.signal })) {
        clearTimeout(timer)
        timer = setTimeout(() => void queryClient.invalidateQueries(inboxQuery), REFRESH_DELAY_MS)
      }
    }
    const turn = () => {
      stop.abort()
      if (document.visibilityState === 'hidden') return
      stop = new AbortController()
      listen().catch(() => undefined) // Without the stream, the inbox is refetched every minute.
    }
    turn()
    document.addEventListener('visibilitychange', turn)
    return () => {
      document.removeEventListener('visibilitychange', turn)
      stop.abort()
      clearTimeout(timer)
    }
  }, [])
}

const MAX_ENTRIES = 50

/** The newest entries, and the number of all unread ones. */
const inboxQuery = queryOptions({
  queryKey: ['notifications'],
  refetchInterval: 60_000,
  queryFn: async () => {
    const answer = await api.call('GET /notifications', { query: { limit: MAX_ENTRIES } })
    if (!answer.ok) throw new Refusal(answer)
    return { entries: answer.body, unread: Number(answer.headers.get('x-notifications-unread') ?? 0) }
  },
})
