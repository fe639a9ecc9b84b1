import { useQuery } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Icon } from '../design/icon.tsx'
import { locale } from '../messages/language.ts'
import { text } from '../messages/text.ts'
import { connectionQuery } from './connection.ts'
import styles from './offline-notice.module.css'

/** Tells on every screen that there is no connection, and from when the shown data are. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  const { data } = useQuery(connectionQuery)
  const { keptOn } = data
  const isShown = !isOnline || keptOn !== undefined
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <div role="status" aria-label={text('offline.label')} className={styles['place']}>
      {isShown && (
        <p className={styles['notice']} data-offline>
          <Icon of={CloudOff} />
          {keptOn ? text('offline.kept', { when: format.format(keptOn) }) : text('offline')}
        </p>
      )}
    </div>
  )
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
