import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, read } from '../api.ts'
import { ArtifactLink } from '../artifacts/artifact-link.tsx'
import { Avatar, NoAvatar } from '../design/marks.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { Empty, Loading, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import rows from '../design/rows.module.css'
import { text } from '../messages/text.ts'
import styles from './project-page.module.css'

const MAX_ACTIVITIES = 6

const activityQuery = (project: number) =>
  queryOptions({
    queryKey: ['projects', project, 'heartbeats'],
    queryFn: () => read(api.call('GET /projects/{id}/heartbeats', { path: { id: project } })),
  })

export function ProjectActivity({ project }: { project: number }) {
  const { data, error, refetch } = useQuery(activityQuery(project))
  if (error && !data) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  return (
    <Panel title={text('activity.title')} isList>
      {!data && <Loading />}
      {data?.entries.length === 0 && (
        <Empty>{text(data.are_there_activities_user_cannot_see ? 'activity.hidden' : 'activity.none')}</Empty>
      )}
      <ol className={rows['rows']}>
        {data?.entries.slice(0, MAX_ACTIVITIES).map(({ updated_at, html_message, user }) => (
          <li key={`${updated_at} ${html_message}`}>
            <div className={styles['entry']}>
              {user ? <Avatar person={{ ...user, name: user.real_name ?? user.display_name }} /> : <NoAvatar />}
              <div>
                <p>
                  <Message html={html_message} />
                </p>
                <p className={rows['facts']}>
                  {user && <span>{user.real_name ?? user.display_name}</span>}
                  <RelativeTime at={updated_at} />
                </p>
              </div>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

/** The text of a message, with a link to its artifact. DOMParser runs no scripts and loads no resources. */
function Message({ html }: { html: string }) {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const link = body.querySelector('a')
  const [, id] = /^\/artifacts\/(\d+)$/.exec(link?.getAttribute('href') ?? '') ?? []
  if (!link || id === undefined) return body.textContent.trim()
  const name = link.textContent
  link.remove()
  return (
    <>
      <ArtifactLink id={Number(id)}>{name}</ArtifactLink>
      {body.textContent}
    </>
  )
}
