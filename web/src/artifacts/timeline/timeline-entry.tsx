import type { Tracker } from '@waypost/sdk/api'
import { useEffect, useRef } from 'react'
import { Avatar } from '../../design/marks.tsx'
import { RelativeTime } from '../../design/relative-time.tsx'
import { PageLink } from '../../shell/page-link.tsx'
import { text } from '../messages.ts'
import { CommentCard } from './comment-card.tsx'
import type { TimelineEntry } from './merge-versions.ts'
import { ShowChange } from './show-change.tsx'
import styles from './timeline.module.css'

interface Props {
  readonly artifact: number
  readonly entry: TimelineEntry
  readonly tracker: Tracker
  /** The address of the page names it. */
  readonly isWanted: boolean
  readonly onQuote: (quoted: string) => void
}

/** A comment in a box, or changes in a line. */
export function Entry({ artifact, entry, tracker, isWanted, onQuote }: Props) {
  const { versions, author, comment, changes } = entry
  const place = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (!isWanted) return
    place.current?.scrollIntoView({ block: 'center' })
    place.current?.focus({ preventScroll: true })
  }, [isWanted])
  const isFirst = versions.includes(1)
  const name = author?.real_name ?? author?.display_name ?? text('timeline.somebody')
  const known = changes.flatMap((change) => {
    const field = tracker.fields.find(({ field_id }) => field_id === change.field_id)
    return field && !isFirst ? [{ change, field }] : []
  })
  const person = { id: author?.id ?? null, name, avatar_url: author?.avatar_url }
  return (
    <li ref={place} id={`v${versions.at(-1)}`} tabIndex={-1} className={styles['entry']} data-wanted={isWanted}>
      <span className={styles['dot']}>
        <Avatar person={person} size={comment ? 24 : 20} />
      </span>
      <div className={styles['body']}>
        {(!comment || isFirst || known.length > 0) && (
          <div className={styles['line']}>
            <strong>{name}</strong> <span>{text(isFirst ? 'timeline.created' : 'timeline.changed')}</span>{' '}
            {known.map(({ change, field }) => (
              <ShowChange key={field.field_id} change={change} field={field} />
            ))}
            {!comment && <EntryTime artifact={artifact} entry={entry} />}
          </div>
        )}
        {comment && (
          <CommentCard
            address={{ id: artifact, changeset_id: entry.changeset }}
            version={versions.at(-1) ?? 0}
            author={person}
            comment={comment}
            isAdministrator={tracker.permissions_for_groups !== null}
            time={<EntryTime artifact={artifact} entry={entry} />}
            onQuote={onQuote}
          />
        )}
      </div>
    </li>
  )
}

/** When it was, which is also the address of the entry. */
function EntryTime({ artifact, entry }: Pick<Props, 'artifact' | 'entry'>) {
  const { versions, comment, submitted_on } = entry
  return (
    <PageLink
      href={`/artifacts/${artifact}#${comment ? 'comment-' : 'v'}${versions.at(-1)}`}
      title={text('timeline.address')}
    >
      <RelativeTime at={submitted_on} />
    </PageLink>
  )
}
