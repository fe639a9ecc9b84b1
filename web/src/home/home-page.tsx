import { queryOptions, useQuery } from '@tanstack/react-query'
import { Refusal } from '@waypost/sdk/answer'
import { sizeOf } from '@waypost/sdk'
import { api } from '../api.ts'
import { useSession } from '../accounts/session.ts'
import { ArtifactLink } from '../artifacts/artifact-link.tsx'
import { ApiCall } from '../design/api-snippets.tsx'
import { Empty, Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import rows from '../design/rows.module.css'
import { Inbox } from '../notifications/inbox.tsx'
import { text } from '../messages/text.ts'
import styles from './home-page.module.css'

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

/** The home page: open tasks of the viewer and recent activity. */
export function HomePage() {
  const { data: session } = useSession()
  const name = session?.user.real_name?.split(' ').at(0) ?? ''
  return (
    <PageLayout title={text('home.title', { name })}>
      <div className={styles['columns']}>
        <Inbox />
        <Assigned />
      </div>
      <ApiCall path="/notifications" />
    </PageLayout>
  )
}

function Assigned() {
  const { data, error, refetch } = useQuery(assignedQuery)
  if (error && !data) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  return (
    <Panel title={text('assigned.title')} count={data?.size} isList>
      {!data && <Loading />}
      {data?.artifacts.length === 0 && <Empty>{text('assigned.none')}</Empty>}
      <ul className={rows['rows']}>
        {data?.artifacts.map(({ id, title, xref, tracker }) => (
          <li key={id}>
            <div>
              <p className={rows['title']}>
                <ArtifactLink id={id}>{title ?? xref}</ArtifactLink>
              </p>
              <p className={rows['facts']}>
                <span>{xref}</span>
                <span>{tracker.project.label}</span>
              </p>
            </div>
          </li>
        ))}
      </ul>
      {data && data.size > MAX_ASSIGNED && <Empty>{text('assigned.more', { count: data.size - MAX_ASSIGNED })}</Empty>}
    </Panel>
  )
}
