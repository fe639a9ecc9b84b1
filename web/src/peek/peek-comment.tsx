import type { FocusEvent } from 'react'
import { useSession } from '../accounts/session.ts'
import type { OpenArtifact } from '../artifacts/artifact-queries.ts'
import { CommentBox } from '../artifacts/comment-box.tsx'
import type { Editing } from '../artifacts/use-editing.ts'
import { Avatar } from '../design/marks.tsx'
import { Keys } from '../shell/keys.tsx'
import { text } from './messages.ts'
import styles from './peek-panel.module.css'

interface Props {
  readonly open: OpenArtifact
  readonly editing: Editing
  readonly isWriting: boolean
  readonly onWrite: () => void
  readonly onLeave: () => void
}

/** One line until a comment is written: the editor takes longer to load than the artifact. */
export function PeekComment({ open, editing, isWriting, onWrite, onLeave }: Props) {
  const { data: session } = useSession()
  const leave = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (editing.comment === '' && !editing.isSaving && relatedTarget && !currentTarget.contains(relatedTarget))
      onLeave()
  }
  if (!session) return null
  const { user } = session
  return (
    <footer className={styles['foot']} onBlur={leave}>
      {isWriting ? (
        <CommentBox open={open} editing={editing} />
      ) : (
        <>
          <Avatar person={{ ...user, name: user.real_name ?? user.display_name }} />
          <button type="button" className={styles['write']} onClick={onWrite}>
            {text('peek.comment')}
          </button>
          <Keys keys="m" />
        </>
      )}
    </footer>
  )
}
