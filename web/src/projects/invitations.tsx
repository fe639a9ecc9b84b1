import { queryOptions, useQuery } from '@tanstack/react-query'
import { sizeOf } from '@waypost/sdk'
import { Refusal } from '@waypost/sdk/answer'
import { useState } from 'react'
import { useSession } from '../accounts/session.ts'
import { api } from '../api.ts'
import { Copyable } from '../design/api-snippets.tsx'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Panel } from '../design/page.tsx'
import rows from '../design/rows.module.css'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../shell/toasts.ts'
import { text } from './messages.ts'
import styles from './project-page.module.css'

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
  const { data: session } = useSession()
  const { data } = useQuery(invitationsQuery(project))
  const [link, setLink] = useState<string>()
  const showLink = async (id: number) => {
    const answer = await api.call('POST /invitations/{token}/link', { path: { token: id } })
    if (answer.ok) setLink(answer.body.link)
    else showRefusal(answer)
  }
  if (!data || data.invitations.length === 0) return null
  return (
    <Panel title={text('invitations.title')} count={data.size} isList>
      <ul className={rows['rows']}>
        {data.invitations.map(({ id, email }) => (
          <li key={id}>
            <span>{email}</span>
            <div className={styles['buttons']}>
              {session?.user.is_site_admin === true && (
                <Button aria-label={text('invitations.link_what', { email })} onPress={() => void showLink(id)}>
                  {text('invitations.link')}
                </Button>
              )}
              <Button
                kind="danger"
                aria-label={text('invitations.revoke_what', { email })}
                onPress={() => void revoke(project, id)}
              >
                {text('invitations.revoke')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {link !== undefined && (
        <Dialog title={text('invitations.link.title')} onClose={() => setLink(undefined)}>
          <p>{text('invitations.link.lead')}</p>
          <Copyable value={link} label={text('invitations.link.title')} autoFocus />
          <DialogActions>
            <Button onPress={() => setLink(undefined)}>{text('close')}</Button>
          </DialogActions>
        </Dialog>
      )}
    </Panel>
  )
}

async function revoke(project: number, id: number): Promise<void> {
  const answer = await api.call('DELETE /invitations/{token}', { path: { token: id } })
  if (!answer.ok) return showRefusal(answer)
  showToast(text('invitations.revoked'))
  await queryClient.invalidateQueries(invitationsQuery(project))
}
