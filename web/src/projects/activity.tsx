import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, read } from '../api.ts'
import { ArtifactLink } from '../artifacts/artifact-link.tsx'
import { Avatar, NoAvatar } from '../design/marks.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { Empty, Loading, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { text } from './messages.ts'
import { ActivityChange, useActivityVersion } from './activity-change.tsx'
import styles from './activity.module.css'
import { type ActivityMessage, type MergedActivity, mergeActivity } from './merge-activity.ts'

const MAX_ACTIVITIES = 6

const activityQuery = (project: number) =>
  queryOptions({
    queryKey: ['projects', project, 'heartbeats'],
    queryFn: () => read(api.call('GET /projects/{id}/heartbeats', { path: { id: project } })),
  })

type Heartbeat = Awaited<ReturnType<NonNullable<ReturnType<typeof activityQuery>['queryFn']>>>['entries'][number]

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
        {merged.slice(0, MAX_ACTIVITIES).map((activity) => (
          <ActivityEntry
            key={`${activity.entry.updated_at} ${activity.entry.html_message}`}
            project={project}
            activity={activity}
          />
        ))}
      </ol>
    </Panel>
  )
}

interface EntryProps {
  readonly project: number
  readonly activity: MergedActivity<Heartbeat>
}

function ActivityEntry({ project, activity: { entry, message, others } }: EntryProps) {
  const { user, updated_at: at } = entry
  const { link, before, after } = message
  const artifact = Number(/^\/artifacts\/(\d+)$/.exec(link?.href ?? '')?.[1]) || undefined
  return (
    <li className={styles['entry']}>
      {user ? <Avatar person={{ ...user, name: nameOf(user) }} size={24} /> : <NoAvatar size={24} />}
      <div className={styles['lines']}>
        <div className={styles['line']}>
          <p dir="auto">
            <b>{user ? nameOf(user) : text('activity.someone')}</b>{' '}
            {artifact !== undefined ? (
              <Verb artifact={artifact} at={at} />
            ) : (
              <>
                {before}
                {/* The login stands behind the name; the page of the person shows it. */}
                {link?.name.replace(/ \([^()]*\)$/, '')}
                {others > 0 && ` ${text('members.more', { count: others })}`}
                {after}
              </>
            )}
          </p>
          <RelativeTime at={at} />
        </div>
        {link && artifact !== undefined && (
          <>
            <p className={styles['title']} dir="auto">
              <ArtifactLink id={artifact}>
                <span>{link.name}</span> {after.trim()}
              </ArtifactLink>
            </p>
            <ActivityChange project={project} artifact={artifact} at={at} />
          </>
        )}
      </div>
    </li>
  )
}

/** Created, commented on, or changed. */
function Verb({ artifact, at }: { readonly artifact: number; readonly at: string }) {
  const version = useActivityVersion(artifact, at)
  if (version?.version === 1) return text('activity.created')
  const isComment = version !== undefined && version.last_comment.body !== '' && (version.changes ?? []).length === 0
  return text(isComment ? 'activity.commented' : 'activity.changed')
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
