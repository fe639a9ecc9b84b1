import type { Tracker } from '@waypost/sdk/api'
import { CirclePlus, Pencil } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Icon } from '../../design/icon.tsx'
import { Avatar } from '../../design/marks.tsx'
import { RelativeTime } from '../../design/relative-time.tsx'
import { text } from '../messages.ts'
import { RichText } from '../rich-text.tsx'
import type { TimelineEntry } from './merge-versions.ts'
import { ShowChange } from './show-change.tsx'
import styles from './timeline.module.css'

interface Props {
  readonly entry: TimelineEntry
  readonly tracker: Tracker
  /** The address of the page names it. */
  readonly isWanted: boolean
}

/** A comment in a box, or changes in a line. */
export function Entry({ entry, tracker, isWanted }: Props) {
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
      <span className={styles['dot']} data-plain={!comment}>
        {comment ? <Avatar person={person} /> : <Icon of={isFirst ? CirclePlus : Pencil} size={14} />}
      </span>
      <div className={styles['body']}>
        {(!comment || isFirst || known.length > 0) && (
          <div className={styles['line']}>
            {!comment && <Avatar person={person} size={20} />}
            <strong>{name}</strong> <span>{text(isFirst ? 'timeline.created' : 'timeline.changed')}</span>{' '}
            {known.map(({ change, field }) => (
              <ShowChange key={field.field_id} change={change} field={field} />
            ))}
            {!comment && <EntryTime entry={entry} />}
          </div>
        )}
        {comment && (
          <div id={`comment-${versions.at(-1)}`} className={styles['comment']}>
            <div className={styles['head']}>
              <strong>{name}</strong> <EntryTime entry={entry} />
              {comment.ugroups && (
                <span className={styles['private']}>
                  {text('timeline.private', { groups: comment.ugroups.map(({ label }) => label).join(', ') })}
                </span>
              )}
            </div>
            <RichText html={comment.post_processed_body} />
          </div>
        )}
      </div>
    </li>
  )
}

/** When it was, which is also the address of the entry. */
function EntryTime({ entry: { versions, comment, submitted_on } }: { readonly entry: TimelineEntry }) {
  return (
    <a href={`#${comment ? 'comment-' : 'v'}${versions.at(-1)}`} title={text('timeline.address')}>
      <RelativeTime at={submitted_on} />
    </a>
  )
}
