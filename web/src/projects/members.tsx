import { queryOptions, useQuery } from '@tanstack/react-query'
import { sizeOf } from '@waypost/sdk'
import { Refusal } from '@waypost/sdk/answer'
import type { ReactNode } from 'react'
import { api } from '../api.ts'
import { Avatar } from '../design/marks.tsx'
import { Empty, Loading, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { text } from '../messages/text.ts'
import styles from './project-page.module.css'

const MAX_MEMBERS = 50

/** Null: the viewer may not list members. */
const membersQuery = (project: number) =>
  queryOptions({
    queryKey: ['projects', project, 'members'],
    queryFn: async () => {
      const answer = await api.call('GET /projects/{id}/members', {
        path: { id: project },
        query: { limit: MAX_MEMBERS },
      })
      if (answer.ok) return { users: answer.body, size: sizeOf(answer) }
      if (answer.status === 401 || answer.status === 403 || answer.status === 404) return null
      throw new Refusal(answer)
    },
  })

export function Members({ project, actions }: { project: number; actions?: ReactNode }) {
  const { data: members, error, refetch } = useQuery(membersQuery(project))
  if (error && !members) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  if (members === null)
    return (
      <Panel title={text('members.title')} isList>
        <Empty>{text('members.hidden')}</Empty>
      </Panel>
    )
  if (!members)
    return (
      <Panel title={text('members.title')} isList>
        <Loading />
      </Panel>
    )
  const hidden = members.size - members.users.length
  return (
    <Panel title={text('members.title')} count={members.size} actions={actions}>
      <ul className={styles['members']}>
        {members.users.map(({ id, real_name, username, avatar_url }) => (
          <li key={id}>
            <Avatar person={{ id, name: real_name ?? username ?? '', avatar_url }} />
            {real_name ?? username}
          </li>
        ))}
        {hidden > 0 && <li>{text('members.more', { count: hidden })}</li>}
      </ul>
    </Panel>
  )
}
