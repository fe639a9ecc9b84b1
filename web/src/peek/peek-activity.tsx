import { useInfiniteQuery } from '@tanstack/react-query'
import type { Tracker } from '@waypost/sdk/api'
import { ArtifactLink } from '../artifacts/artifact-link.tsx'
import { versionsQuery } from '../artifacts/artifact-queries.ts'
import { mergeVersions } from '../artifacts/timeline/merge-versions.ts'
import { Entry } from '../artifacts/timeline/timeline-entry.tsx'
import { Loading } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { text } from './messages.ts'
import styles from './peek-panel.module.css'

const MAX_ENTRIES = 5

interface Props {
  readonly id: number
  readonly tracker: Tracker
  readonly onQuote: (quoted: string) => void
}

/** The last comments and changes, the newest last. */
export function PeekActivity({ id, tracker, onQuote }: Props) {
  const { data, error, refetch, hasNextPage } = useInfiniteQuery(versionsQuery(id))
  const entries = mergeVersions(data?.pages.flatMap(({ versions }) => versions).toReversed() ?? [])
  const hasMore = hasNextPage || entries.length > MAX_ENTRIES
  return (
    <section aria-label={text('peek.activity')} className={styles['activity']}>
      <div className={styles['activityHead']}>
        <h3>{text('peek.activity')}</h3>
        {hasMore && <ArtifactLink id={id}>{text('peek.all_activity')}</ArtifactLink>}
      </div>
      {error && !data && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      <ol>
        {entries.slice(-MAX_ENTRIES).map((entry) => (
          <Entry
            key={entry.versions[0]}
            artifact={id}
            entry={entry}
            tracker={tracker}
            isWanted={false}
            onQuote={onQuote}
          />
        ))}
      </ol>
    </section>
  )
}
