import type { LastComment } from '@waypost/sdk/api'
import { type ReactNode, useState } from 'react'
import { useSession } from '../../accounts/session.ts'
import { Button } from '../../design/button.tsx'
import type { AvatarPerson } from '../../design/marks.tsx'
import { text } from '../messages.ts'
import { RichText } from '../rich-text.tsx'
import { countTasks } from '../task-list.ts'
import { CommentActions } from './comment-actions.tsx'
import styles from './comment-card.module.css'
import { CommentEditor } from './comment-editor.tsx'
import { type CommentTarget, loadComment, type OpenComment } from './comment-queries.ts'
import { EarlierTexts } from './earlier-texts.tsx'
import { Reactions } from './reactions.tsx'
import { tickInComment } from './tick-in-comment.ts'

interface Props {
  readonly address: CommentTarget
  /** The number of the version, which names the comment in the address of the page. */
  readonly version: number
  readonly author: AvatarPerson
  readonly comment: LastComment
  /** The viewer administers the tracker. */
  readonly isAdministrator: boolean
  readonly time: ReactNode
  readonly onQuote: (quoted: string) => void
}

/** A comment with everything that can be done with it. */
export function CommentCard(props: Props) {
  const { address, version, author, comment, isAdministrator, time, onQuote } = props
  const { data: session } = useSession()
  const [edited, setEdited] = useState<OpenComment>()
  const [showsEarlier, setShowsEarlier] = useState(false)
  const { is_deleted: isDeleted = false, ugroups, reactions = [] } = comment
  const isEdited = comment.version !== undefined && !isDeleted
  const isMine = author.id !== null && author.id === session?.user.id
  return (
    <div id={`comment-${version}`} className={styles['comment']}>
      <div className={styles['head']}>
        <strong>{author.name}</strong> {time}
        {ugroups && (
          <span className={styles['private']}>
            {text('timeline.private', { groups: ugroups.map(({ label }) => label).join(', ') })}
          </span>
        )}
        {isDeleted && <span>{text('comment.is_deleted')}</span>}
        {(isEdited || (isDeleted && isAdministrator)) && (
          <Button kind="quiet" aria-expanded={showsEarlier} onPress={() => setShowsEarlier(!showsEarlier)}>
            {text(isDeleted ? 'comment.show_deleted' : 'comment.edited')}
          </Button>
        )}
        {!isDeleted && !edited && (
          <CommentActions
            address={address}
            version={version}
            comment={comment}
            mayReact={session !== null}
            mayEdit={isMine}
            mayDelete={isMine || isAdministrator}
            onEdit={() => void loadComment(address).then(setEdited)}
            onQuote={onQuote}
          />
        )}
      </div>
      {edited && <CommentEditor address={address} base={edited} onClose={() => setEdited(undefined)} />}
      {!edited && !isDeleted && (
        <RichText html={comment.post_processed_body} tasks={isMine ? tasksOf(address, comment) : undefined} />
      )}
      {showsEarlier && <EarlierTexts address={address} />}
      {reactions.length > 0 && <Reactions address={address} reactions={reactions} isReadOnly={session === null} />}
    </div>
  )
}

/** Undefined: the text is not Markdown. */
function tasksOf(address: CommentTarget, { commonmark: source }: LastComment) {
  if (source === undefined) return undefined
  return {
    count: countTasks(source),
    onTick: (index: number, isDone: boolean) => void tickInComment(address, source, index, isDone),
  }
}
