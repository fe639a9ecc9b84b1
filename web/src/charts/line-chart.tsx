import { useEffect, useRef, useState } from 'react'
import { CalendarDay } from '../design/relative-time.tsx'
import type { SumScale } from '../field-types/field-type.ts'
import { text } from '../board/messages.ts'
import styles from './charts.module.css'
import { dashOf } from './dashes.ts'
import type { DrawnLines } from './draw-lines.ts'
import { type CountedRows, RowsLink } from './rows-link.tsx'
import type { TimeSeries } from './time-series.ts'
import { locale } from '../messages/language.ts'

const twoPlaces = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })

interface Props {
  label: string
  course: TimeSeries
  /** Absent: the values are numbers. */
  scale?: SumScale | undefined
  /** Areas on top of each other instead of lines. */
  isStacked?: boolean
  rows?: CountedRows | undefined
}

/** The names stand beside the ends of the lines if the chart is at least this wide. */
const MIN_WIDTH_WITH_NAMES_PX = 460
/** More names do not fit beside the chart. */
const MAX_NAMES_BESIDE = 9

/** A line chart with the names of its lines, and the same numbers as an accessible table. */
export function LineChart({ label, course, scale, isStacked = false, rows }: Props) {
  const figure = useRef<HTMLElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const names = useRef<HTMLUListElement>(null)
  const drawn = useRef<DrawnLines>(undefined)
  const [marked, setMarked] = useState<number>()
  const [day, setDay] = useState<number>()
  const theme = useTheme()
  const isBroad = useIsBroad(figure)
  const areBeside = isBroad && course.lines.length <= MAX_NAMES_BESIDE
  const number = scale?.show ?? shortened
  const shownDay = course.days[day ?? -1]
  useEffect(() => {
    let isOver = false
    const draw = async () => {
      const { drawLines } = await import('./draw-lines.ts')
      if (isOver || !place.current || !names.current) return
      const { color: ink, fontFamily } = getComputedStyle(names.current)
      const { borderTopColor: edge } = getComputedStyle(place.current)
      const swatches = [...names.current.querySelectorAll('[data-line]')].map((swatch) => getComputedStyle(swatch))
      const looks = {
        lines: swatches.map(({ color }) => color),
        areas: swatches.map(({ backgroundColor }) => backgroundColor),
        ink,
        edge,
        font: `12px ${fontFamily}`,
        isStacked,
      }
      const items = areBeside ? [...names.current.querySelectorAll('li')] : undefined
      drawn.current = drawLines(place.current, course, looks, { scale, names: items, onDay: setDay })
    }
    void draw()
    return () => {
      isOver = true
      drawn.current?.remove()
      drawn.current = undefined
    }
  }, [course, theme, scale, isStacked, areBeside])
  useEffect(() => drawn.current?.mark(marked), [marked])
  return (
    <figure ref={figure} className={styles['figure']}>
      <div className={styles['chart']} data-beside={areBeside}>
        <div ref={place} className={styles['plot']} role="img" aria-label={label} />
        <ul ref={names} className={styles['names']}>
          {course.lines.map(({ label: name, hue, key, values }, line) => (
            <li
              key={name}
              data-pale={marked !== undefined && marked !== line}
              onPointerEnter={() => setMarked(line)}
              onPointerLeave={() => setMarked(undefined)}
              onFocus={() => setMarked(line)}
              onBlur={() => setMarked(undefined)}
            >
              <svg aria-hidden data-line={line % 6} data-hue={hue} data-area={isStacked} viewBox="0 0 28 8">
                <path d="M0 4 H28" strokeDasharray={isStacked ? undefined : dashOf(line).join(' ') || undefined} />
              </svg>
              <span dir="auto" title={name}>
                <RowsLink rows={rows} value={key}>
                  {name}
                </RowsLink>
              </span>{' '}
              <strong>{number(values.at(day ?? -1) ?? 0)}</strong>
            </li>
          ))}
        </ul>
        {shownDay !== undefined && (
          <p className={styles['when']} aria-hidden>
            <CalendarDay day={shownDay} />
          </p>
        )}
      </div>
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
              {course.days.map((each, index) => (
                <tr key={each}>
                  <th scope="row">
                    <CalendarDay day={each} />
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

function shortened(given: number): string {
  return twoPlaces.format(given)
}

/** True if there is space for names beside the chart. */
function useIsBroad(element: { readonly current: HTMLElement | null }): boolean {
  const [isBroad, setBroad] = useState(false)
  useEffect(() => {
    const measured = new ResizeObserver(([entry]) =>
      setBroad((entry?.contentRect.width ?? 0) >= MIN_WIDTH_WITH_NAMES_PX),
    )
    if (element.current) measured.observe(element.current)
    return () => measured.disconnect()
  }, [element])
  return isBroad
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
