import { useInfiniteQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { Changeset, Tracker } from '@waypost/sdk/api'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../design/button.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { Avatar } from '../design/marks.tsx'
import { Empty, Loading, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { text } from './messages.ts'
import { versionsQuery } from './artifact-queries.ts'
import { RichText } from './rich-text.tsx'
import { ShowChange } from './show-change.tsx'
import styles from './timeline.module.css'

interface Props {
  readonly id: number
  readonly tracker: Tracker
  /** The editor for the next entry. */
  readonly children?: ReactNode
}

/** Comments and changes, the newest first. */
export function Timeline({ id, tracker, children }: Props) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(versionsQuery(id))
  const [isOnlyComments, setOnlyComments] = useState(false)
  const { hash } = useLocation()
  const versions = data?.pages.flatMap((page) => page.versions) ?? []
  const wanted = /^v(\d+)$/.exec(hash)?.[1]
  const isMissing = wanted !== undefined && !versions.some(({ version }) => version === Number(wanted))
  // Load older pages until the entry from the address is there.
  useEffect(() => {
    if (isMissing && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [isMissing, hasNextPage, isFetchingNextPage, fetchNextPage])
  const shown = versions.filter((version) => !isOnlyComments || hasComment(version))
  const filter = (
    <Button kind="quiet" aria-pressed={isOnlyComments} onPress={() => setOnlyComments(!isOnlyComments)}>
      {text(isOnlyComments ? 'timeline.all' : 'timeline.only_comments')}
    </Button>
  )
  return (
    <Panel title={text('timeline.title')} count={data?.pages[0]?.size} actions={filter} isList>
      {children}
      {error && !data && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && shown.length === 0 && <Empty>{text('timeline.no_comments')}</Empty>}
      <ol className={styles['entries']}>
        {shown.map((version) => (
          <Entry key={version.id} entry={version} tracker={tracker} isWanted={String(version.version) === wanted} />
        ))}
      </ol>
      {hasNextPage && (
        <div className={styles['more']}>
          <Button onPress={() => void fetchNextPage()}>{text('timeline.older')}</Button>
        </div>
      )}
    </Panel>
  )
}

function Entry({ entry, tracker, isWanted }: { entry: Changeset; tracker: Tracker; isWanted: boolean }) {
  const { version, submitted_by_details: author, submitted_on, last_comment: comment, changes = [] } = entry
  const place = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (!isWanted) return
    place.current?.scrollIntoView({ block: 'center' })
    place.current?.focus({ preventScroll: true })
  }, [isWanted])
  const name = author?.real_name ?? author?.display_name ?? text('timeline.somebody')
  const known = changes.flatMap((change) => {
    const field = tracker.fields.find(({ field_id }) => field_id === change.field_id)
    return field ? [{ change, field }] : []
  })
  return (
    <li
      ref={place}
      id={`v${version}`}
      tabIndex={-1}
      className={isWanted ? `${styles['entry']} ${styles['wanted']}` : styles['entry']}
    >
      <Avatar person={{ id: author?.id ?? null, name }} />
      <div className={styles['body']}>
        <p className={styles['head']}>
          <strong>{name}</strong>{' '}
          <span>
            {text(version === 1 ? 'timeline.created' : hasComment(entry) ? 'timeline.commented' : 'timeline.changed')}
          </span>{' '}
          <a href={`#v${version}`} title={text('timeline.address')}>
            <RelativeTime at={submitted_on} />
          </a>
        </p>
        {hasComment(entry) && (
          <div className={styles['comment']}>
            {comment.ugroups && (
              <p className={styles['private']}>
                {text('timeline.private', { groups: comment.ugroups.map(({ label }) => label).join(', ') })}
              </p>
            )}
            <RichText html={comment.post_processed_body} />
          </div>
        )}
        {version > 1 &&
          known.map(({ change, field }) => <ShowChange key={field.field_id} change={change} field={field} />)}
      </div>
    </li>
  )
}

function hasComment({ last_comment }: Changeset): boolean {
  return last_comment.body !== ''
}
