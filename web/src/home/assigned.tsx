import { queryOptions, useQuery } from '@tanstack/react-query'
import { sizeOf } from '@waypost/sdk'
import { Refusal } from '@waypost/sdk/answer'
import { ListChecks } from 'lucide-react'
import { api } from '../api.ts'
import { ArtifactLink } from '../artifacts/artifact-link.tsx'
import { TrackerMark } from '../design/marks.tsx'
import { Empty, Loading, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { text } from '../messages/text.ts'
import styles from './assigned.module.css'

const ASSIGNED = { assigned_to: true }
const MAX_ASSIGNED = 25

const assignedQuery = queryOptions({
  queryKey: ['artifacts', 'assigned'],
  queryFn: async () => {
    const query = { query: JSON.stringify(ASSIGNED), limit: MAX_ASSIGNED }
    const answer = await api.call('GET /users/{id}/artifacts', { path: { id: 'self' }, query })
    if (!answer.ok) throw new Refusal(answer)
    return { artifacts: answer.body, size: sizeOf(answer) }
  },
})

/** The open artifacts that are assigned to the viewer. */
export function Assigned() {
  const { data, error, refetch } = useQuery(assignedQuery)
  if (error && !data) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  return (
    <Panel title={text('nav.work')} count={data?.size} isList>
      {!data && <Loading />}
      {data?.artifacts.length === 0 && <Empty icon={ListChecks}>{text('assigned.none')}</Empty>}
      <ul>
        {data?.artifacts.map(({ id, title, xref, tracker }) => (
          <li key={id} className={styles['row']}>
            <TrackerMark label={tracker.label} color={tracker.color_name} />
            <span className={styles['reference']}>{xref}</span>
            <span className={styles['title']}>
              <ArtifactLink id={id}>{title ?? xref}</ArtifactLink>
            </span>
            <span className={styles['project']}>{tracker.project.label}</span>
          </li>
        ))}
      </ul>
      {data && data.size > MAX_ASSIGNED && <Empty>{text('assigned.more', { count: data.size - MAX_ASSIGNED })}</Empty>}
    </Panel>
  )
}
