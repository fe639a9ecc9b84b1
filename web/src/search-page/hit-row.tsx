import type { QuickArtifact } from '@waypost/sdk/api'
import { ArtifactLink } from '../artifacts/artifact-link.tsx'
import { Avatar, NoAvatar, TrackerMark } from '../design/marks.tsx'
import { Hidden } from '../design/page.tsx'
import { StatusElsewhere } from '../field-types/status-elsewhere.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { PeekButton } from '../peek/peek-button.tsx'
import { usePeekedId } from '../peek/peek-link.ts'
import { Marked } from '../search/marked.tsx'
import { text } from '../search/messages.ts'
import styles from './hits.module.css'

const MAX_AVATARS = 3

/** An artifact with the words that were found in it. */
export function HitRow({ hit, words }: { readonly hit: QuickArtifact; readonly words: readonly string[] }) {
  const peeked = usePeekedId()
  const { id, xref, title, tracker, status, is_open, snippet, last_modified_date } = hit
  return (
    <li className={styles['hit']} data-artifact={id} data-peeked={id === peeked}>
      <div className={styles['head']}>
        <TrackerMark label={tracker.label} color={tracker.color_name} />
        <span className={styles['reference']}>{xref}</span>
        <ArtifactLink id={id} className={styles['title']} dir="auto" data-hit>
          {title === null ? xref : <Marked words={words}>{title}</Marked>}
        </ArtifactLink>
        <PeekButton id={id} name={xref} />
        {status && <StatusElsewhere tracker={tracker.id} status={status} isOpen={is_open} />}
      </div>
      {snippet !== null && (
        <p className={styles['snippet']} dir="auto">
          <Marked words={words}>{snippet}</Marked>
        </p>
      )}
      <p className={styles['facts']}>
        <span dir="auto">{tracker.project.label}</span>
        <span aria-hidden>·</span>
        <Assignees people={hit.assignees} />
        <span aria-hidden>·</span>
        <span>
          {text('search.changed')} <RelativeTime at={last_modified_date} />
        </span>
      </p>
    </li>
  )
}

function Assignees({ people }: { readonly people: QuickArtifact['assignees'] }) {
  if (people.length === 0)
    return (
      <>
        <NoAvatar size={20} />
        <span>{text('search.unassigned')}</span>
      </>
    )
  const names = people.map(({ real_name, display_name }) => real_name ?? display_name)
  const more = people.length - MAX_AVATARS
  return (
    <span className={styles['people']} title={names.join(', ')}>
      {people.slice(0, MAX_AVATARS).map(({ id }, at) => (
        <Avatar key={id} person={{ id, name: names[at] ?? '' }} size={20} />
      ))}
      {names.length === 1 && (
        <span dir="auto" aria-hidden>
          {names[0]}
        </span>
      )}
      {more > 0 && <span aria-hidden>+{more}</span>}
      <Hidden>{text('search.assigned', { names: names.join(', ') })}</Hidden>
    </span>
  )
}
