import styles from './progress-bar.module.css'

interface Props {
  readonly value: number
  readonly max: number
  readonly label: string
}

/** How much is done, as wide as its place. */
export function ProgressBar({ value, max, label }: Props) {
  return <progress value={value} max={max} aria-label={label} className={styles['bar']} />
}
