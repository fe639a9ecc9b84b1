import { text } from '../board/messages.ts'
import styles from './charts.module.css'
import { type CountedRows, RowsLink } from './rows-link.tsx'
import type { WorkloadBar } from './time-series.ts'
import { formatNumber } from '../messages/format-number.ts'

const MAX_BARS = 20

interface Props {
  readonly label: string
  readonly bars: readonly WorkloadBar[]
  readonly rows: CountedRows | undefined
}

/** A table with bars behind the numbers. */
export function BarChart({ label, bars, rows }: Props) {
  const most = Math.max(1, ...bars.map(({ open }) => open))
  const rest = bars.length - MAX_BARS
  return (
    <>
      <table className={styles['bars']} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{text('facts.assigned')}</th>
            <th scope="col">{text('charts.open')}</th>
            <th scope="col">{text('charts.closed')}</th>
          </tr>
        </thead>
        <tbody>
          {bars.slice(0, MAX_BARS).map(({ label: name, key, open, closed }) => (
            <tr key={name}>
              <th scope="row" dir="auto">
                <RowsLink rows={rows} value={key}>
                  {name}
                </RowsLink>
              </th>
              <td>
                <span className={styles['bar']} style={{ '--share': open / most }}>
                  {formatNumber(open)}
                </span>
              </td>
              <td>{formatNumber(closed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 && <p>{text('charts.more', { count: rest })}</p>}
    </>
  )
}
