import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Artifact, ReportOfWidget, TrackerField } from '@waypost/sdk/api'
import { ArtifactLink } from '../artifacts/artifact-link.tsx'
import { fieldValue } from '../artifacts/artifact-queries.ts'
import { findKeyField } from '../artifacts/key-fields.ts'
import { Empty, Hidden, Loading } from '../design/page.tsx'
import { PriorityIcon, toPriorityLevel } from '../design/priority-icon.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { Avatar, NoAvatar } from '../design/marks.tsx'
import { DueFieldProvider, OpenProvider } from '../field-types/due.tsx'
import { fieldType } from '../field-types/field-types.ts'
import { ShowValue } from '../field-types/field-views.tsx'
import { StatusElsewhere } from '../field-types/status-elsewhere.tsx'
import { trackerQuery } from '../trackers/tracker-query.ts'
import styles from './dashboard.module.css'
import { reportRowsQuery } from './dashboard-queries.ts'
import { text } from './messages.ts'

const MAX_ROWS = 6

interface Props {
  readonly report: ReportOfWidget
}

/** The first artifacts of a report. */
export function RowsWidget({ report }: Props) {
  const { data: tracker, error: refused } = useQuery(trackerQuery(report.tracker.id))
  const [priority, due] = tracker ? [findKeyField(tracker, 'p'), findKeyField(tracker, 'd')] : []
  const names = [priority, due].flatMap((field) => field?.name ?? [])
  const { data, error, refetch } = useQuery({
    ...reportRowsQuery(report.id, names, MAX_ROWS),
    enabled: tracker !== undefined,
  })
  if (refused) return <RefusalNotice error={refused} />
  if (error) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  if (!data || !tracker) return <Loading />
  if (data.size === 0) return <Empty>{text('dashboard.no_artifacts')}</Empty>
  return (
    <DueFieldProvider tracker={tracker}>
      <ul className={styles['rows']}>
        {data.rows.map(({ id, xref, title, full_status: status, is_open, assignees, values }) => (
          <li key={id} data-artifact={id}>
            {priority && <Priority field={priority} values={values} />}
            <span className={styles['reference']}>{xref}</span>
            <ArtifactLink id={id} title={title ?? xref}>
              {title ?? xref}
            </ArtifactLink>
            <span className={styles['facts']}>
              {due && (
                <OpenProvider isOpen={is_open}>
                  <ShowValue value={fieldValue({ values }, due.field_id)} field={due} isShort />
                </OpenProvider>
              )}
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
    </DueFieldProvider>
  )
}

function Priority({ field, values }: { readonly field: TrackerField } & Pick<Artifact, 'values'>) {
  const value = fieldValue({ values }, field.field_id)
  const [label = ''] = (value && fieldType(field).entries?.(value)) ?? []
  const level = toPriorityLevel(label)
  return (
    <span className={styles['priority']} title={label}>
      {level && <PriorityIcon level={level} />}
      <Hidden>{label}</Hidden>
    </span>
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
