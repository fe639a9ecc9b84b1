import type { CommitNotification } from '@waypost/sdk/api'
import { useState } from 'react'
import { Button } from '../../design/button.tsx'
import { Empty, Panel } from '../../design/page.tsx'
import rows from '../../design/rows.module.css'
import { text } from '../messages.ts'
import { useRepository } from '../use-repository.ts'
import { NotificationForm } from './notification-form.tsx'
import { notificationToWrite, saveSettings } from './save-settings.ts'
import styles from './settings.module.css'
import { showRefusal } from '../../shell/show-refusal.ts'

/** Mail notifications for commits below a path. */
export function Notifications({ notifications }: { notifications: readonly CommitNotification[] }) {
  const [edited, setEdited] = useState<CommitNotification | 'new'>()
  const add = <Button onPress={() => setEdited('new')}>{text('told.add_short')}</Button>
  return (
    <Panel title={text('told.title')} count={notifications.length} lead={text('told.lead')} actions={add} isList>
      {notifications.length === 0 && <Empty>{text('told.none')}</Empty>}
      <ul className={rows['rows']}>
        {notifications.map((notification) => (
          <Row
            key={notification.path}
            notification={notification}
            all={notifications}
            onEdit={() => setEdited(notification)}
          />
        ))}
      </ul>
      {edited !== undefined && (
        <NotificationForm
          edited={edited === 'new' ? undefined : edited}
          others={notifications.filter((each) => each !== edited)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Panel>
  )
}

/** The list itself shows the stored state, so nothing else is to be done. */
const NOTHING_MORE = () => undefined

interface RowProps {
  readonly notification: CommitNotification
  readonly all: readonly CommitNotification[]
  readonly onEdit: () => void
}

function Row({ notification, all, onEdit }: RowProps) {
  const { id } = useRepository()
  const { path, emails, users, user_groups } = notification
  const remove = async () => {
    const rest = all.filter((each) => each !== notification).map(notificationToWrite)
    const answer = await saveSettings(id, { email_notifications: rest }, NOTHING_MORE)
    if (!answer.ok) showRefusal(answer)
  }
  const people = users.map(({ username, real_name }) => real_name ?? username ?? '')
  const recipients = [...emails, ...people, ...user_groups.map(({ label }) => label)]
  return (
    <li>
      <div>
        <p className={rows['title']}>
          <code>{path}</code>
        </p>
        <p className={rows['facts']}>{recipients.join(', ')}</p>
      </div>
      <div className={styles['buttons']}>
        <Button kind="quiet" aria-label={text('told.edit_what', { path })} onPress={onEdit}>
          {text('edit')}
        </Button>
        <Button kind="quiet" aria-label={text('told.remove_what', { path })} onPress={() => void remove()}>
          {text('told.remove')}
        </Button>
      </div>
    </li>
  )
}
