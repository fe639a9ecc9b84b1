import { useInfiniteQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { Tracker } from '@waypost/sdk/api'
import { ArrowDownUp } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../design/button.tsx'
import { Icon } from '../../design/icon.tsx'
import { Empty, Hidden, Loading } from '../../design/page.tsx'
import { RefusalNotice } from '../../design/refusal.tsx'
import { versionsQuery } from '../artifact-queries.ts'
import { text } from '../messages.ts'
import { mergeVersions, type TimelineEntry } from './merge-versions.ts'
import { RankMoves } from './rank-moves.tsx'
import { Entry } from './timeline-entry.tsx'
import { isTimelineNewestFirst, storeTimelineOrder } from './timeline-order.ts'
import styles from './timeline.module.css'

interface Props {
  readonly id: number
  readonly tracker: Tracker
  /** Adds a text to the comment that is being written. */
  readonly onQuote: (quoted: string) => void
}

const FILTERS = ['all', 'comments', 'history'] as const
type TimelineFilter = (typeof FILTERS)[number]

/** Comments and changes in one list. */
export function Timeline({ id, tracker, onQuote }: Props) {
  const [filter, setFilter] = useState<TimelineFilter>('all')
  const [isNewestFirst, setNewestFirst] = useState(isTimelineNewestFirst)
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(
    versionsQuery(id, filter === 'comments' ? 'comments' : 'all'),
  )
  const { hash } = useLocation()
  const versions = data?.pages.flatMap((page) => page.versions) ?? []
  const wanted = Number(/^(?:v|comment-)(\d+)$/.exec(hash)?.[1])
  const isMissing = !Number.isNaN(wanted) && !versions.some(({ version }) => version === wanted)
  // Load older pages until the entry from the address is there.
  useEffect(() => {
    if (isMissing && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [isMissing, hasNextPage, isFetchingNextPage, fetchNextPage])
  const entries = filterEntries(mergeVersions(versions.toReversed()), filter)
  const older = hasNextPage && (
    <div className={styles['older']}>
      <Button onPress={() => void fetchNextPage()}>{text('timeline.older')}</Button>
    </div>
  )
  const turnOver = () => {
    setNewestFirst(!isNewestFirst)
    storeTimelineOrder(!isNewestFirst)
  }
  return (
    <section className={styles['timeline']} aria-label={text('timeline.title')}>
      <h2 tabIndex={-1}>
        <Hidden>{text('timeline.title')}</Hidden>
      </h2>
      <div className={styles['bar']}>
        <div role="group" aria-label={text('timeline.filter')} className={styles['filters']}>
          {FILTERS.map((each) => (
            <Button key={each} kind="quiet" aria-pressed={each === filter} onPress={() => setFilter(each)}>
              {text(`timeline.${each}`)}
              {each === filter && each !== 'history' && <small>{data?.pages[0]?.size}</small>}
            </Button>
          ))}
        </div>
        <Button kind="quiet" onPress={turnOver}>
          <Icon of={ArrowDownUp} size={14} />
          {text(isNewestFirst ? 'timeline.newest_first' : 'timeline.oldest_first')}
        </Button>
      </div>
      {!isNewestFirst && older}
      {error && !data && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && entries.length === 0 && <Empty>{text(`timeline.no_${filter}`)}</Empty>}
      <ol className={styles['entries']}>
        {(isNewestFirst ? entries.toReversed() : entries).map((entry) => (
          <Entry
            key={entry.versions[0]}
            artifact={id}
            entry={entry}
            tracker={tracker}
            isWanted={entry.versions.includes(wanted)}
            onQuote={onQuote}
          />
        ))}
      </ol>
      {filter === 'history' && <RankMoves id={id} />}
      {isNewestFirst && older}
    </section>
  )
}

/** The history has the changes of versions with a comment, without the comment. */
function filterEntries(entries: readonly TimelineEntry[], filter: TimelineFilter): readonly TimelineEntry[] {
  if (filter !== 'history') return entries
  return entries
    .filter(({ versions, changes }) => versions.includes(1) || changes.length > 0)
    .map((entry) => ({ ...entry, comment: undefined }))
}
