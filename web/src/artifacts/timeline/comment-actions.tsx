import type { LastComment } from '@waypost/sdk/api'
import { Link2, Pencil, SmilePlus, TextQuote, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../design/button.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Icon } from '../../design/icon.tsx'
import { showToast } from '../../shell/toasts.ts'
import { text } from '../messages.ts'
import styles from './comment-card.module.css'
import { type CommentTarget, commentSource, removeComment } from './comment-queries.ts'
import { toQuote } from './quote.ts'
import { ReactionChoice } from './reactions.tsx'

interface Props {
  readonly address: CommentTarget
  readonly version: number
  readonly comment: LastComment
  readonly mayReact: boolean
  readonly mayEdit: boolean
  readonly mayDelete: boolean
  readonly onEdit: () => void
  readonly onQuote: (quoted: string) => void
}

/** React, quote, copy the address, edit, delete. */
export function CommentActions(props: Props) {
  const { address, version, comment, mayReact, mayEdit, mayDelete, onEdit, onQuote } = props
  const [isReacting, setReacting] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const quote = () => {
    const { body, format } = commentSource(comment)
    onQuote(toQuote(body, format === 'html'))
  }
  return (
    <>
      <div className={styles['actions']}>
        {mayReact && (
          <>
            <Button
              kind="icon"
              aria-label={text('comment.react')}
              aria-expanded={isReacting}
              onPress={() => setReacting(!isReacting)}
            >
              <Icon of={SmilePlus} />
            </Button>
            <Button kind="icon" aria-label={text('comment.quote')} onPress={quote}>
              <Icon of={TextQuote} />
            </Button>
          </>
        )}
        <Button kind="icon" aria-label={text('comment.copy_link')} onPress={() => void copyAddress(address, version)}>
          <Icon of={Link2} />
        </Button>
        {mayEdit && (
          <Button kind="icon" aria-label={text('comment.edit')} onPress={onEdit}>
            <Icon of={Pencil} />
          </Button>
        )}
        {mayDelete && (
          <Button kind="icon" aria-label={text('comment.delete')} onPress={() => setDeleting(true)}>
            <Icon of={Trash2} />
          </Button>
        )}
      </div>
      {isReacting && (
        <ReactionChoice address={address} given={comment.reactions ?? []} onClose={() => setReacting(false)} />
      )}
      {isDeleting && <DeleteQuestion address={address} onClose={() => setDeleting(false)} />}
    </>
  )
}

/** The address is shown by the browser too, for pages without HTTPS, which have no clipboard. */
async function copyAddress({ id }: CommentTarget, version: number): Promise<void> {
  const path = `/artifacts/${id}`
  if (location.pathname === path) location.hash = `comment-${version}`
  if (!('clipboard' in navigator)) return
  await navigator.clipboard.writeText(`${location.origin}${path}#comment-${version}`)
  showToast(text('comment.link_copied'))
}

function DeleteQuestion({ address, onClose }: { readonly address: CommentTarget; readonly onClose: () => void }) {
  const [isBusy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    const isDone = await removeComment(address)
    onClose()
    if (isDone) showToast(text('comment.deleted'))
  }
  return (
    <Dialog title={text('comment.delete_title')} isQuestion onClose={onClose}>
      <p>{text('comment.delete_lead')}</p>
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {text('cancel')}
        </Button>
        <Button kind="danger" isBusy={isBusy} onPress={() => void remove()}>
          {text('comment.delete')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
