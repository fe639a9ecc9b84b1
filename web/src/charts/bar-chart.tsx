import { counted, text } from '../board/words.ts'
import styles from './charts.module.css'
import type { Bar } from './read-course.ts'

const MOST = 20

/** A table whose numbers are also to be seen as lengths. */
export function BarChart({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ open }) => open))
  const rest = bars.length - MOST
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
          {bars.slice(0, MOST).map(({ label: name, open, closed }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <span className={styles['bar']} style={{ '--share': open / most }}>
                  {new Intl.NumberFormat().format(open)}
                </span>
              </td>
              <td>{new Intl.NumberFormat().format(closed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 && <p>{counted('charts.more_one', 'charts.more', rest)}</p>}
    </>
  )
}
