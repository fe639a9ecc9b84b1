import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Artifact, ReportOfWidget } from '@waypost/sdk/api'
import { ArtifactLink } from '../artifacts/artifact-link.tsx'
import { Empty, Loading } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { Avatar, NoAvatar } from '../design/marks.tsx'
import { StatusElsewhere } from '../field-types/status-elsewhere.tsx'
import styles from './dashboard.module.css'
import { reportRowsQuery } from './dashboard-queries.ts'
import { text } from './messages.ts'

const MAX_ROWS = 5

interface Props {
  readonly report: ReportOfWidget
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
        {data.rows.map(({ id, xref, title, full_status: status, is_open, assignees }) => (
          <li key={id} data-artifact={id}>
            <span className={styles['reference']}>{xref}</span>
            <ArtifactLink id={id} title={title ?? xref}>
              {title ?? xref}
            </ArtifactLink>
            <span className={styles['facts']}>
              {status && <StatusElsewhere tracker={report.tracker.id} status={status} isOpen={is_open} />}
              <Assignee people={assignees} />
            </span>
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

function Assignee({ people: [person] }: { readonly people: Artifact['assignees'] }) {
  if (!person) return <NoAvatar size={20} />
  const name = person.real_name ?? person.display_name
  return (
    <span title={name}>
      <Avatar person={{ ...person, name }} size={20} />
    </span>
  )
}
