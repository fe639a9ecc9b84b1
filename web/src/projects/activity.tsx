import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, read } from '../api.ts'
import { ArtifactLink } from '../artifacts/artifact-link.tsx'
import { Avatar, NoAvatar } from '../design/marks.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { Empty, Loading, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { text } from '../messages/text.ts'
import { type ActivityMessage, mergeActivity } from './merge-activity.ts'
import styles from './project-page.module.css'

const MAX_ACTIVITIES = 6

const activityQuery = (project: number) =>
  queryOptions({
    queryKey: ['projects', project, 'heartbeats'],
    queryFn: () => read(api.call('GET /projects/{id}/heartbeats', { path: { id: project } })),
  })

export function ProjectActivity({ project }: { project: number }) {
  const { data, error, refetch } = useQuery(activityQuery(project))
  const merged = useMemo(() => mergeActivity(data?.entries ?? [], parseMessage), [data])
  if (error && !data) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  return (
    <Panel title={text('activity.title')} isList>
      {!data && <Loading />}
      {data?.entries.length === 0 && (
        <Empty>{text(data.are_there_activities_user_cannot_see ? 'activity.hidden' : 'activity.none')}</Empty>
      )}
      <ol className={styles['activity']}>
        {merged.slice(0, MAX_ACTIVITIES).map(({ entry: { updated_at, html_message, user }, message, others }) => (
          <li key={`${updated_at} ${html_message}`} className={styles['entry']}>
            {user ? <Avatar person={{ ...user, name: nameOf(user) }} size={20} /> : <NoAvatar size={20} />}
            <p dir="auto">
              <b>{user ? nameOf(user) : text('activity.someone')}</b> <Message message={message} others={others} />
            </p>
            <RelativeTime at={updated_at} />
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function nameOf({ real_name, display_name }: { readonly real_name: string | null; readonly display_name: string }) {
  return real_name ?? display_name
}

/** DOMParser runs no scripts and loads no resources. */
function parseMessage(html: string): ActivityMessage {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const link = body.querySelector('a')
  if (!link) return { before: body.textContent.trim(), link: null, after: '' }
  const [before = '', after = ''] = [link.previousSibling, link.nextSibling].map((node) => node?.textContent ?? '')
  return { before, link: { href: link.getAttribute('href') ?? '', name: link.textContent }, after }
}

function Message({ message: { before, link, after }, others }: { message: ActivityMessage; others: number }) {
  const [, artifact] = /^\/artifacts\/(\d+)$/.exec(link?.href ?? '') ?? []
  if (link && artifact !== undefined)
    return (
      <>
        {text('activity.changed')} <ArtifactLink id={Number(artifact)}>{link.name}</ArtifactLink>
        {after}
      </>
    )
  // The login stands behind the name; the page of the person shows it.
  const name = link?.name.replace(/ \([^()]*\)$/, '')
  return (
    <>
      {before}
      {name}
      {others > 0 && ` ${text('members.more', { count: others })}`}
      {after}
    </>
  )
}
