import { text } from '../board/messages.ts'
import { formatNumber } from '../messages/format-number.ts'
import styles from './charts.module.css'
import { type CountedRows, RowsLink } from './rows-link.tsx'
import type { ValueBar } from './time-series.ts'

const MAX_BARS = 20

interface Props {
  readonly label: string
  readonly bars: readonly ValueBar[]
  readonly rows?: CountedRows | undefined
}

/** The number of artifacts of each value, as a table with bars in the colours of the values. */
export function ValueBars({ label, bars, rows }: Props) {
  const most = Math.max(1, ...bars.map(({ count }) => count))
  const rest = bars.length - MAX_BARS
  return (
    <>
      <table className={`${styles['bars']} ${styles['values']}`} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{text('charts.value')}</th>
            <th scope="col">{text('charts.artifacts')}</th>
          </tr>
        </thead>
        <tbody>
          {bars.slice(0, MAX_BARS).map(({ label: value, hue, key, count }) => (
            <tr key={value}>
              <th scope="row" dir="auto">
                <RowsLink rows={rows} value={key}>
                  {value}
                </RowsLink>
              </th>
              <td>
                <span className={styles['bar']} data-hue={hue} style={{ '--share': count / most }}>
                  {formatNumber(count)}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 && <p>{text('charts.more', { count: rest })}</p>}
    </>
  )
}
