import { text } from '../../artifacts/messages.ts'
import { Hidden } from '../../design/page.tsx'
import styles from './values.module.css'

/** An empty value. */
export function Nothing() {
  return (
    <span className={styles['nothing']}>
      <span aria-hidden>–</span>
      <Hidden>{text('value.empty')}</Hidden>
    </span>
  )
}
