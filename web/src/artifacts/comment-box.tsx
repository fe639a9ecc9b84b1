import type { ClipboardEvent, DragEvent } from 'react'
import { Button, buttonClass } from '../design/button.tsx'
import { Avatar, type AvatarPerson } from '../design/marks.tsx'
import { mayUpdate } from '../field-types/drafts.ts'
import { fieldType } from '../field-types/field-types.ts'
import { text } from './messages.ts'
import { useSession } from '../accounts/session.ts'
import { useIsNarrow } from '../shell/use-is-narrow.ts'
import type { OpenArtifact } from './artifact-queries.ts'
import styles from './comment-box.module.css'
import { CannedResponses } from './canned-responses.tsx'
import { attachFile } from './attach-file.ts'
import { MarkdownField } from './markdown/markdown-field.tsx'
import { Preview } from './preview.tsx'
import { UploadList } from './upload-list.tsx'
import { useUploads } from './use-uploads.ts'
import type { Editing } from './use-editing.ts'

export const COMMENT_FIELD = 'comment'

/** While the session is being loaded. */
const NO_PERSON = { id: null, real_name: null, display_name: '', avatar_url: null }

interface Props {
  readonly open: OpenArtifact
  readonly editing: Editing
}

/** The comment editor. Unsaved field changes are saved in the same version. */
export function CommentBox({ open, editing }: Props) {
  const { data: session } = useSession()
  if (session === null)
    return (
      <div className={styles['box']}>
        <a className={buttonClass()} href={`/sign-in?next=${encodeURIComponent(location.pathname)}`}>
          {text('comment.sign_in')}
        </a>
      </div>
    )
  const { id, real_name, display_name, avatar_url } = session?.user ?? NO_PERSON
  return <Composer open={open} editing={editing} author={{ id, name: real_name ?? display_name, avatar_url }} />
}

function Composer({ open, editing, author }: Props & { readonly author: AvatarPerson }) {
  const { comment, say, drafts, isSaving, save } = editing
  const isNarrow = useIsNarrow()
  const { fields } = open.tracker
  const { id } = open.artifact
  const papers = fields.find((field) => fieldType(field).editing?.acceptsFiles && mayUpdate(field))
  const { uploads, add, retry, remove } = useUploads(papers?.field_id ?? 0, (file, { name, type }) => {
    void attachFile(id, papers?.field_id ?? 0, { add: [file] }, text('files.attached', { name }))
    const address = `[${name.replaceAll(/[[\]]/g, ' ')}](/files/${file}/${addressOf(name)})`
    say(`${comment}${comment === '' ? '' : '\n\n'}${type.startsWith('image/') ? '!' : ''}${address}`)
  })
  const take = (event: ClipboardEvent | DragEvent, { files }: DataTransfer) => {
    if (!papers || files.length === 0) return
    event.preventDefault()
    event.stopPropagation() // Else the page would take them too.
    add(files)
  }
  // Comments use the text format of the fields.
  const texts = fields.find((field) => fieldType(field).editing?.Preview && mayUpdate(field))
  const isEmpty = comment.trim() === ''
  const send = () => {
    if (!isEmpty && !isSaving) void save({ withComment: true })
  }
  return (
    <form
      className={styles['box']}
      data-foot
      data-filled={!isEmpty || uploads.length > 0}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onPaste={(event) => take(event, event.clipboardData)}
      onDragOver={(event) => {
        if (papers && event.dataTransfer.types.includes('Files')) event.preventDefault()
      }}
      onDrop={(event) => take(event, event.dataTransfer)}
      onKeyDown={({ key, ctrlKey, metaKey }) => {
        if (key === 'Enter' && (ctrlKey || metaKey)) send()
      }}
    >
      <span className={styles['author']}>
        <Avatar person={author} />
      </span>
      <div className={styles['canned']}>
        <CannedResponses
          tracker={open.tracker.id}
          onChoose={(body) => say(`${comment}${comment === '' ? '' : '\n\n'}${body}`)}
        />
      </div>
      <div className={styles['text']}>
        <MarkdownField
          label={text('comment.label')}
          name={COMMENT_FIELD}
          isBare
          placeholder={text(isNarrow ? 'comment.placeholder_short' : 'comment.placeholder')}
          value={comment}
          onChange={say}
        />
      </div>
      <UploadList uploads={uploads} onRetry={retry} onRemove={remove} />
      {texts && !isEmpty && <Preview artifact={id} field={texts} value={{ content: comment, format: 'commonmark' }} />}
      <div className={styles['actions']}>
        <Button kind="primary" type="submit" isDisabled={isEmpty || isSaving}>
          {text(drafts.length > 0 ? 'comment.send_with_changes' : isNarrow ? 'comment.send_short' : 'comment.send')}
        </Button>
        <span>{text('comment.hint')}</span>
      </div>
    </form>
  )
}

/** Parentheses would end a Markdown link. */
function addressOf(name: string): string {
  return encodeURIComponent(name).replaceAll('(', '%28').replaceAll(')', '%29')
}
