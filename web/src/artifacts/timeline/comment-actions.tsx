import type { LastComment } from '@waypost/sdk/api'
import { Link2, Pencil, SmilePlus, TextQuote, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../design/button.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Icon } from '../../design/icon.tsx'
import { RowMenu } from '../../design/row-menu.tsx'
import { showToast } from '../../design/toasts.ts'
import { useIsNarrow } from '../../shell/use-is-narrow.ts'
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

/** React, quote, copy the address, edit, delete. On a phone, all but the first are in a menu. */
export function CommentActions(props: Props) {
  const { address, version, comment, mayReact, mayEdit, mayDelete, onEdit, onQuote } = props
  const isNarrow = useIsNarrow()
  const [isReacting, setReacting] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const quote = () => {
    const { body, format } = commentSource(comment)
    onQuote(toQuote(body, format === 'html'))
  }
  const actions = [
    ...(mayReact ? [{ label: text('comment.quote'), icon: TextQuote, onPress: quote }] : []),
    { label: text('comment.copy_link'), icon: Link2, onPress: () => void copyAddress(address, version) },
    ...(mayEdit ? [{ label: text('comment.edit'), icon: Pencil, onPress: onEdit }] : []),
    ...(mayDelete
      ? [{ label: text('comment.delete'), icon: Trash2, isDanger: true, onPress: () => setDeleting(true) }]
      : []),
  ]
  return (
    <>
      <div className={styles['actions']}>
        {mayReact && (
          <Button
            kind="icon"
            aria-label={text('comment.react')}
            aria-expanded={isReacting}
            onPress={() => setReacting(!isReacting)}
          >
            <Icon of={SmilePlus} />
          </Button>
        )}
        {isNarrow ? (
          <RowMenu label={text('comment.actions')} actions={actions} />
        ) : (
          actions.map(({ label, icon, onPress }) => (
            <Button key={label} kind="icon" aria-label={label} onPress={onPress}>
              <Icon of={icon} />
            </Button>
          ))
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
