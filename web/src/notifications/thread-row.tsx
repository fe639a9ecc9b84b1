import type { NotificationThread } from '@waypost/sdk/api'
import { AlarmClock, AlarmClockOff, CheckCheck, CircleDot } from 'lucide-react'
import type { KeyboardEvent, MouseEvent } from 'react'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { Avatar } from '../design/marks.tsx'
import { Hidden } from '../design/page.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { PeekButton } from '../peek/peek-button.tsx'
import { usePeekedId } from '../peek/peek-link.ts'
import { PageLink } from '../shell/page-link.tsx'
import { type DescribedThread, describeThread } from './describe-thread.ts'
import styles from './inbox.module.css'
import { markOpened, markThread } from './mark-threads.ts'
import { text } from './messages.ts'
import { wakeThread } from './snooze-threads.ts'
import { snoozeTimeText } from './snooze-times.ts'
import { ThreadReason } from './thread-reason.tsx'
import type { SnoozedEntry } from './use-thread-keys.ts'

interface Props {
  readonly thread: NotificationThread
  readonly onSnooze: (entry: SnoozedEntry) => void
  /** Shows the artifact beside the list; absent: its page is opened. */
  readonly onShow?: ((artifact: number) => void) | undefined
}

/** The entries about one artifact. It can have the focus, for the keys of the inbox. */
export function ThreadRow({ thread, onSnooze, onShow }: Props) {
  const { is_read, latest, entries, why } = thread
  const { snoozed_until: snoozedUntil } = latest
  const peeked = usePeekedId()
  const { kind, title, href, artifact, person, what, excerpt, change, others } = describeThread(thread)
  const open = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter' && event.target === event.currentTarget)
      event.currentTarget.querySelector<HTMLElement>('a')?.click()
  }
  const show = (event: MouseEvent) => {
    const isControl = event.target instanceof Element && event.target.closest('button') !== null
    const isOther = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
    // The panel follows the focus of the keyboard, so that Enter opens the page.
    const isEnterOnShown = event.detail === 0 && artifact === peeked
    if (!onShow || artifact === undefined || isEnterOnShown || isControl || isOther) return
    event.preventDefault()
    event.stopPropagation() // The link would open the page.
    void markOpened(thread)
    onShow(artifact)
  }
  return (
    <li
      className={styles['thread']}
      data-thread={thread.id}
      data-unread={!is_read}
      data-artifact={artifact}
      data-peeked={artifact !== undefined && artifact === peeked}
      tabIndex={-1}
      onKeyDown={open}
      onClickCapture={show}
    >
      <span className={styles['face']}>
        <Avatar person={person} size={32} />
        <ThreadReason kind={kind} why={why} />
      </span>
      <p className={styles['title']}>
        {!is_read && <Hidden>{text('inbox.unread')}</Hidden>}
        {href === undefined ? (
          title
        ) : (
          <PageLink href={href} onClickCapture={() => void markOpened(thread)} dir="auto">
            {title}
          </PageLink>
        )}
      </p>
      <span className={styles['time']}>
        {snoozedUntil === null ? (
          <RelativeTime at={latest.on} />
        ) : (
          text('inbox.snoozed_until', { when: snoozeTimeText(new Date(snoozedUntil)) })
        )}
      </span>
      <p className={styles['excerpt']} dir="auto">
        <span className={styles['what']}>{excerpt === '' && !change ? what : `${what}: `}</span>
        {excerpt}
        {change && <StatusChange change={change} />}
      </p>
      <p className={styles['facts']}>
        <Hidden>{text(`kind.${kind}`)} </Hidden>
        {kind !== 'bulk' && latest.xref !== null && <span>{latest.xref}</span>}
        {latest.project && <span className={styles['place']}>{latest.project.label}</span>}
        {kind !== 'bulk' && entries.length > 1 && (
          <span className={styles['more']}>
            {text('inbox.more', { count: entries.length - 1 })}
            {others.map((other) => (
              <span key={other.id} title={other.name}>
                <Avatar person={other} size={20} />
              </span>
            ))}
          </span>
        )}
      </p>
      <span className={styles['actions']}>
        {artifact !== undefined && <PeekButton id={artifact} name={title} />}
        {snoozedUntil === null ? (
          <Button
            kind="icon"
            data-snooze
            onPress={({ target }) => {
              if (target instanceof HTMLElement) onSnooze({ id: thread.id, anchor: target })
            }}
            aria-label={text('inbox.snooze_what', { title })}
          >
            <Icon of={AlarmClock} />
          </Button>
        ) : (
          <Button kind="icon" onPress={() => void wakeThread(thread)} aria-label={text('inbox.wake_what', { title })}>
            <Icon of={AlarmClockOff} />
          </Button>
        )}
        <Button
          kind="icon"
          onPress={() => void markThread(thread, !is_read)}
          aria-label={text(is_read ? 'inbox.mark_unread_what' : 'inbox.mark_read_what', { title })}
        >
          <Icon of={is_read ? CircleDot : CheckCheck} />
        </Button>
      </span>
    </li>
  )
}

function StatusChange({ change: { from, to } }: { readonly change: NonNullable<DescribedThread['change']> }) {
  return (
    <span className={styles['change']}>
      {from?.value ?? text('inbox.no_status')} → <b>{to?.value ?? text('inbox.no_status')}</b>
    </span>
  )
}
