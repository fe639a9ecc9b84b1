import type { Failure } from '@waypost/sdk/answer'
import { type KeyboardEvent, useState } from 'react'
import { Button } from '../../design/button.tsx'
import { refusalText } from '../../design/refusal.tsx'
import { showToast } from '../../design/toasts.ts'
import { MarkdownField } from '../markdown/markdown-field.tsx'
import { text } from '../messages.ts'
import styles from './comment-card.module.css'
import {
  type CommentTarget,
  commentSource,
  type OpenComment,
  refreshTimeline,
  writeComment,
} from './comment-queries.ts'

interface Props {
  readonly address: CommentTarget
  /** The comment when editing began. */
  readonly base: OpenComment
  readonly onClose: () => void
}

/** Edits the present text; a text that was changed in another window meanwhile is not overwritten. */
export function CommentEditor({ address, base: { comment, etag }, onClose }: Props) {
  const source = commentSource(comment)
  const [body, setBody] = useState(source.body)
  const [failure, setFailure] = useState<Failure>()
  const [isSaving, setSaving] = useState(false)
  const save = async () => {
    if (isSaving || body.trim() === '') return
    setSaving(true)
    const answer = await writeComment(address, { ...source, body }, etag)
    setSaving(false)
    if (!answer.ok) return setFailure(answer)
    onClose()
    await refreshTimeline(address)
    showToast(text('saved'))
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className={styles['editor']} onKeyDown={press}>
      <MarkdownField
        label={text('comment.edit')}
        isBare
        autoFocus
        value={body}
        error={failure && refusalText(failure)}
        onChange={setBody}
      />
      <div className={styles['save']}>
        <Button kind="primary" isBusy={isSaving} isDisabled={body.trim() === ''} onPress={() => void save()}>
          {text('artifact.save')}
        </Button>
        <Button onPress={onClose}>{text('cancel')}</Button>
      </div>
    </div>
  )
}
