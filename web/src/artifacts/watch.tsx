import { WatchMenu } from '../notifications/watch-menu.tsx'
import { text } from './messages.ts'
import styles from './artifact-properties.module.css'
import { Watchers } from './watchers.tsx'

/** The notification level of the artifact, and who else watches it. */
export function WatchControl({ id }: { id: number }) {
  return (
    <section aria-label={text('watch.title')}>
      <h2 className={styles['heading']}>{text('watch.title')}</h2>
      <WatchMenu kind="artifact" id={id} form="row" />
      <Watchers id={id} />
    </section>
  )
}
