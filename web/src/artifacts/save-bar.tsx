import { type Failure, Refusal } from '@waypost/sdk/answer'
import { Button } from '../design/button.tsx'
import { RefusalNotice, refusalText } from '../design/refusal.tsx'
import { counted, text } from './words.ts'
import styles from './save-bar.module.css'
import type { Editing } from './use-editing.ts'

/** What is not saved yet, and why not, wherever one has scrolled to. */
export function SaveBar({ editing, onComment }: { editing: Editing; onComment: () => void }) {
  const { drafts, failure, isSaving, save, dropAll } = editing
  if (!failure && drafts.length < 2) return null
  const isBesideFields = drafts.some((draft) => editing.problemOf(draft.field_id) !== undefined)
  // One field says all by itself, to those who see it.
  if (failure && isBesideFields && drafts.length === 1)
    return (
      <p role="alert" className={styles['heard']}>
        {refusalText(failure)}
      </p>
    )
  return (
    <div className={styles['bar']} role="region" aria-label={text('artifact.unsaved')}>
      {failure && <WhyNot failure={failure} isBesideFields={isBesideFields} />}
      {drafts.length > 0 && (
        <div className={styles['actions']}>
          <span>{counted('artifact.drafts_one', 'artifact.drafts', drafts.length)}</span>
          {failure?.details.cause === 'comment_required' && (
            <Button onPress={onComment}>{text('artifact.to_comment')}</Button>
          )}
          <Button onPress={dropAll}>{text('artifact.drop_all')}</Button>
          <Button kind="primary" isDisabled={isSaving} onPress={() => void save()}>
            {text('artifact.save')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** In a line where the fields themselves say what is wrong. */
export function WhyNot({ failure, isBesideFields }: { failure: Failure; isBesideFields: boolean }) {
  if (!isBesideFields) return <RefusalNotice error={new Refusal(failure)} />
  return (
    <p role="alert" className={styles['why']}>
      {refusalText(failure)}
    </p>
  )
}
