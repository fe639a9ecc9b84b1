import styles from './counting.module.css'

/** The place of a number that is not counted yet. */
export function Counting() {
  return <span className={styles['counting']} aria-hidden />
}
