import { queryOptions, useQuery } from '@tanstack/react-query'
import { sizeOf } from '@waypost/sdk'
import { Refusal } from '@waypost/sdk/answer'
import { text } from '../accounts/messages.ts'
import { api } from '../api.ts'
import { Panel } from '../design/page.tsx'
import rows from '../design/rows.module.css'
import { InvitationRow } from '../projects/invitation-row.tsx'
import { queryClient } from '../query-client.ts'

const MAX_INVITATIONS = 100

const sentInvitationsQuery = queryOptions({
  queryKey: ['invitations', 'sent'],
  queryFn: async () => {
    const answer = await api.call('GET /invitations', { query: { limit: MAX_INVITATIONS } })
    if (!answer.ok) throw new Refusal(answer)
    return { invitations: answer.body, size: sizeOf(answer) }
  },
})

/** Invitations that were not accepted yet: one's own, for site administrators all. Nothing if there are none. */
export function SentInvitations() {
  const { data } = useQuery(sentInvitationsQuery)
  if (!data || data.invitations.length === 0) return null
  return (
    <Panel title={text('sent_invitations')} lead={text('sent_invitations.lead')} count={data.size} isList>
      <ul className={rows['rows']}>
        {data.invitations.map((invitation) => (
          <InvitationRow
            key={invitation.id}
            invitation={invitation}
            detail={invitation.project?.label_without_icon}
            onRevoked={() => queryClient.invalidateQueries(sentInvitationsQuery)}
          />
        ))}
      </ul>
    </Panel>
  )
}
