import type { PendingInvitation } from '@waypost/sdk/api'
import { useState } from 'react'
import { useSession } from '../accounts/session.ts'
import { api } from '../api.ts'
import { Copyable } from '../design/api-snippets.tsx'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import rows from '../design/rows.module.css'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'
import { text } from './messages.ts'
import styles from './project-page.module.css'

interface Props {
  readonly invitation: PendingInvitation
  /** Below the address. */
  readonly detail?: string | undefined
  readonly onRevoked: () => Promise<void>
}

/** A pending invitation, with a link for site administrators, and a button that revokes it. */
export function InvitationRow({ invitation: { id, email }, detail, onRevoked }: Props) {
  const { data: session } = useSession()
  const [link, setLink] = useState<string>()
  const showLink = async () => {
    const answer = await api.call('POST /invitations/{token}/link', { path: { token: id } })
    if (answer.ok) setLink(answer.body.link)
    else showRefusal(answer)
  }
  const revoke = async () => {
    const answer = await api.call('DELETE /invitations/{token}', { path: { token: id } })
    if (!answer.ok) return showRefusal(answer)
    showToast(text('invitations.revoked'))
    await onRevoked()
  }
  return (
    <li>
      <div>
        <span>{email}</span>
        {detail !== undefined && <p className={rows['facts']}>{detail}</p>}
      </div>
      <div className={styles['buttons']}>
        {session?.user.is_site_admin === true && (
          <Button aria-label={text('invitations.link_what', { email })} onPress={() => void showLink()}>
            {text('invitations.link')}
          </Button>
        )}
        <Button kind="danger" aria-label={text('invitations.revoke_what', { email })} onPress={() => void revoke()}>
          {text('invitations.revoke')}
        </Button>
      </div>
      {link !== undefined && (
        <Dialog title={text('invitations.link.title')} onClose={() => setLink(undefined)}>
          <p>{text('invitations.link.lead')}</p>
          <Copyable value={link} label={text('invitations.link.title')} autoFocus />
          <DialogActions>
            <Button onPress={() => setLink(undefined)}>{text('close')}</Button>
          </DialogActions>
        </Dialog>
      )}
    </li>
  )
}
