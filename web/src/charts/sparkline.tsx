import styles from './sparkline.module.css'

const WIDTH = 100
const HEIGHT = 30
/** Space for the width of the line. */
const EDGE = 2

/** A small line without an axis. Its numbers stand beside it. */
export function Sparkline({ values }: { readonly values: readonly number[] }) {
  const least = Math.min(...values)
  const range = Math.max(1, Math.max(...values) - least)
  const points = values.map((value, at) => {
    const x = (at / Math.max(1, values.length - 1)) * WIDTH
    const y = HEIGHT - EDGE - ((value - least) / range) * (HEIGHT - 2 * EDGE)
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  })
  const line = `M${points.join(' L')}`
  return (
    <svg aria-hidden className={styles['sparkline']} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
      <path className={styles['area']} d={`${line} L${WIDTH} ${HEIGHT} L0 ${HEIGHT} Z`} />
      <path className={styles['line']} d={line} />
    </svg>
  )
}
