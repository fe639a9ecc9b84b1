import { queryOptions, useQuery } from '@tanstack/react-query'
import { sizeOf } from '@waypost/sdk'
import { Refusal } from '@waypost/sdk/answer'
import { api } from '../api.ts'
import { Panel } from '../design/page.tsx'
import rows from '../design/rows.module.css'
import { queryClient } from '../query-client.ts'
import { InvitationRow } from './invitation-row.tsx'
import { text } from './messages.ts'

/** Empty for viewers who do not administer the project. */
const invitationsQuery = (project: number) =>
  queryOptions({
    queryKey: ['projects', project, 'invitations'],
    queryFn: async () => {
      const answer = await api.call('GET /projects/{id}/invitations', { path: { id: project } })
      if (answer.ok) return { invitations: answer.body, size: sizeOf(answer) }
      if (answer.status === 401 || answer.status === 403 || answer.status === 404) return { invitations: [], size: 0 }
      throw new Refusal(answer)
    },
  })

/** Pending invitations, each with a revoke button; nothing if there are none. */
export function Invitations({ project }: { project: number }) {
  const { data } = useQuery(invitationsQuery(project))
  if (!data || data.invitations.length === 0) return null
  return (
    <Panel title={text('invitations.title')} count={data.size} isList>
      <ul className={rows['rows']}>
        {data.invitations.map((invitation) => (
          <InvitationRow
            key={invitation.id}
            invitation={invitation}
            onRevoked={() => queryClient.invalidateQueries(invitationsQuery(project))}
          />
        ))}
      </ul>
    </Panel>
  )
}
