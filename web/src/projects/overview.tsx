import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Sparkline } from '../charts/sparkline.tsx'
import { locale } from '../messages/language.ts'
import { Counting } from './counting.tsx'
import { text } from './messages.ts'
import styles from './overview.module.css'
import { trackersQuery } from './projects-queries.ts'
import { useHealth } from './tracker-health.ts'

const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })

/** How the project stands: the numbers of all its trackers together. Nothing until there are artifacts. */
export function Overview({ project }: { readonly project: number }) {
  const { data: listed = [] } = useQuery(trackersQuery(project))
  const health = useHealth(project)
  const { isCounted } = health
  const trackers = [...health.trackers.values()]
  const sum = (counts: readonly (number | null | undefined)[]) => {
    if (!isCounted) return null
    const known = counts.filter((count) => count !== undefined)
    if (known.length === 0) return undefined
    return known.some((count) => count === null) ? null : known.reduce<number>((all, count) => all + (count ?? 0), 0)
  }
  const open = sum(trackers.map((each) => each.open))
  const total = sum(trackers.map((each) => each.total))
  if (listed.length === 0 || (isCounted && !total)) return null
  const overdue = sum(trackers.map(({ overdue: late }) => late && late.count))
  const closedLately = sum(trackers.map((each) => each.closedLately))
  const courses = trackers.flatMap(({ openByDay }) => (openByDay ? [openByDay] : []))
  const days = isCounted && courses.length === trackers.length ? addDays(courses) : []
  return (
    <section className={styles['overview']} aria-label={text('project_health.title')}>
      <dl>
        <Figure label={text('project_health.open')} value={open ?? null}>
          {days.length > 1 && <Course days={days} />}
        </Figure>
        {overdue !== undefined && (
          <Figure label={text('project_health.overdue')} value={overdue} isBad={Number(overdue) > 0} />
        )}
        {closedLately !== undefined && <Figure label={text('project_health.closed_lately')} value={closedLately} />}
        {total && open !== undefined && open !== null ? (
          <Figure
            label={text('project_health.closed_of', { closed: total - open, count: total })}
            value={percent.format((total - open) / total)}
          />
        ) : (
          <Figure label={text('project_health.closed')} value={null} />
        )}
      </dl>
    </section>
  )
}

interface FigureProps {
  readonly label: string
  /** Null: not counted yet. */
  readonly value: number | string | null
  readonly isBad?: boolean
  readonly children?: ReactNode
}

function Figure({ label, value, isBad = false, children }: FigureProps) {
  return (
    <div className={styles['figure']} data-bad={isBad}>
      <dt>{label}</dt>
      <dd>
        {value ?? <Counting />}
        {children}
      </dd>
    </div>
  )
}

/** The number of open artifacts over the last thirty days. */
function Course({ days }: { readonly days: readonly number[] }) {
  return (
    <span className={styles['course']}>
      <Sparkline values={days} label={text('project_health.course', { from: days[0] ?? 0, to: days.at(-1) ?? 0 })} />
    </span>
  )
}

function addDays(courses: readonly (readonly number[])[]): readonly number[] {
  const [first = []] = courses
  return first.map((_, day) => courses.reduce((sum, course) => sum + (course[day] ?? 0), 0))
}
