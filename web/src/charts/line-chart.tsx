import { useEffect, useRef, useState } from 'react'
import { CalendarDay } from '../design/relative-time.tsx'
import type { SumScale } from '../field-types/field-type.ts'
import { text } from '../board/messages.ts'
import styles from './charts.module.css'
import { type CountedRows, RowsLink } from './rows-link.tsx'
import type { TimeSeries } from './time-series.ts'
import { locale } from '../messages/language.ts'

interface Props {
  label: string
  course: TimeSeries
  /** Absent: the values are numbers. */
  scale?: SumScale | undefined
  /** Areas on top of each other instead of lines. */
  isStacked?: boolean
  rows?: CountedRows | undefined
}

/** A line chart with a legend, and the same numbers as an accessible table. */
export function LineChart({ label, course, scale, isStacked = false, rows }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const legend = useRef<HTMLUListElement>(null)
  const theme = useTheme()
  const number = scale?.show ?? formatNumber
  useEffect(() => {
    let undraw: (() => void) | undefined
    let isOver = false
    const draw = async () => {
      const { drawLines } = await import('./draw-lines.ts')
      if (isOver || !place.current || !legend.current) return
      const { color: ink, fontFamily } = getComputedStyle(legend.current)
      const { borderTopColor: edge } = getComputedStyle(place.current)
      const marks = [...legend.current.querySelectorAll('[data-line]')]
      const lines = marks.map((mark) => getComputedStyle(mark).borderTopColor)
      const looks = { lines, ink, edge, font: `12px ${fontFamily}`, isStacked }
      undraw = drawLines(place.current, course, looks, scale)
    }
    void draw()
    return () => {
      isOver = true
      undraw?.()
    }
  }, [course, theme, scale, isStacked])
  return (
    <figure className={styles['figure']}>
      <ul ref={legend} className={styles['legend']}>
        {course.lines.map(({ label: name, hue, key, values }, index) => (
          <li key={name}>
            <span aria-hidden data-line={index % 6} data-hue={hue} data-dash={isStacked ? 0 : index % 3} />
            <RowsLink rows={rows} value={key}>
              {name}
            </RowsLink>{' '}
            <strong>{number(values.at(-1) ?? 0)}</strong>
          </li>
        ))}
      </ul>
      <div ref={place} className={styles['plot']} role="img" aria-label={label} />
      <details className={styles['numbers']}>
        <summary>{text('charts.numbers')}</summary>
        <div className={styles['scroll']} tabIndex={0} role="region" aria-label={text('charts.numbers_of', { label })}>
          <table>
            <thead>
              <tr>
                <th scope="col">{text('charts.day')}</th>
                {course.lines.map(({ label: name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {course.days.map((day, index) => (
                <tr key={day}>
                  <th scope="row">
                    <CalendarDay day={day} />
                  </th>
                  {course.lines.map(({ label: name, values }) => (
                    <td key={name}>{number(values[index] ?? 0)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

function formatNumber(given: number): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(given)
}

/** Changes with the theme, because a canvas has to be drawn again. */
function useTheme(): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const again = () => setCount((before) => before + 1)
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const chosen = new MutationObserver(again)
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    dark.addEventListener('change', again)
    return () => {
      chosen.disconnect()
      dark.removeEventListener('change', again)
    }
  }, [])
  return count
}
