import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReportOfWidget } from '@waypost/sdk/api'
import { ArtifactLink } from '../artifacts/artifact-link.tsx'
import { Empty, Loading } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { locale } from '../messages/language.ts'
import styles from './dashboard.module.css'
import { reportRowsQuery } from './dashboard-queries.ts'
import { text } from './messages.ts'

const MAX_ROWS = 5

interface Props {
  readonly report: ReportOfWidget
}

/** How many artifacts of a report the viewer may see. */
export function CountWidget({ report }: Props) {
  const { data, error, refetch } = useQuery(reportRowsQuery(report.id, 0))
  if (error) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <p className={styles['count']}>
      <Link to="/trackers/$id" params={{ id: String(report.tracker.id) }} search={{ report: report.id }}>
        {new Intl.NumberFormat(locale).format(data.size)}
      </Link>
      <span>{text('dashboard.in_tracker', { count: data.size, tracker: report.tracker.label })}</span>
    </p>
  )
}

/** The first artifacts of a report. */
export function RowsWidget({ report }: Props) {
  const { data, error, refetch } = useQuery(reportRowsQuery(report.id, MAX_ROWS))
  if (error) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  if (data.size === 0) return <Empty>{text('dashboard.no_artifacts')}</Empty>
  return (
    <>
      <ul className={styles['rows']}>
        {data.rows.map(({ id, xref, title }) => (
          <li key={String(id)}>
            <span>{String(xref)}</span>
            <ArtifactLink id={Number(id)}>{String(title ?? xref)}</ArtifactLink>
          </li>
        ))}
      </ul>
      {data.size > MAX_ROWS && (
        <p className={styles['rest']}>
          <Link to="/trackers/$id" params={{ id: String(report.tracker.id) }} search={{ report: report.id }}>
            {text('dashboard.more', { count: data.size })}
          </Link>
        </p>
      )}
    </>
  )
}
