import styles from './sparkline.module.css'

const WIDTH = 100
const HEIGHT = 30
/** Space for the width of the line. */
const EDGE = 2

interface Props {
  readonly values: readonly number[]
  /** For screen readers, unless the numbers stand beside the line. */
  readonly label?: string
}

/** A small line without an axis. */
export function Sparkline({ values, label }: Props) {
  const least = Math.min(...values)
  const range = Math.max(1, Math.max(...values) - least)
  const points = values.map((value, at) => {
    const x = (at / Math.max(1, values.length - 1)) * WIDTH
    const y = HEIGHT - EDGE - ((value - least) / range) * (HEIGHT - 2 * EDGE)
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  })
  const line = `M${points.join(' L')}`
  return (
    <svg
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
      className={styles['sparkline']}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      {label !== undefined && <title>{label}</title>}
      <path className={styles['area']} d={`${line} L${WIDTH} ${HEIGHT} L0 ${HEIGHT} Z`} />
      <path className={styles['line']} d={line} />
    </svg>
  )
}
