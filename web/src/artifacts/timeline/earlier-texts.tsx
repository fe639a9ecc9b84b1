import { useQuery } from '@tanstack/react-query'
import { Loading } from '../../design/page.tsx'
import { RefusalNotice } from '../../design/refusal.tsx'
import { RelativeTime } from '../../design/relative-time.tsx'
import { text } from '../messages.ts'
import styles from './comment-card.module.css'
import { type CommentTarget, commentQuery, commentSource } from './comment-queries.ts'
import { TextDiff } from './show-change.tsx'

/** The differences of all edits of a comment, the newest first. */
export function EarlierTexts({ address }: { readonly address: CommentTarget }) {
  const { data, error } = useQuery(commentQuery(address))
  if (error) return <RefusalNotice error={error} />
  if (!data) return <Loading />
  const { earlier, is_deleted: isDeleted } = data.comment
  const texts = [...earlier.map(({ body }) => body), isDeleted ? '' : commentSource(data.comment).body]
  return (
    <div className={styles['earlier']}>
      {earlier
        .map(({ version, replaced_by, replaced_on }, at) => (
          <div key={version}>
            {text('comment.edited_by', {
              who: replaced_by?.real_name ?? replaced_by?.display_name ?? text('timeline.somebody'),
            })}{' '}
            <RelativeTime at={replaced_on} />
            <TextDiff before={texts[at] ?? ''} after={texts[at + 1] ?? ''} />
          </div>
        ))
        .toReversed()}
    </div>
  )
}
