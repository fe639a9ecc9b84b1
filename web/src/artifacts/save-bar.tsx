import { type Failure, Refusal } from '@waypost/sdk/answer'
import { Button } from '../design/button.tsx'
import { RefusalNotice, refusalText } from '../design/refusal.tsx'
import { text } from './messages.ts'
import styles from './save-bar.module.css'
import type { Editing } from './use-editing.ts'

/** A sticky bar with the unsaved changes and the reason of a refusal. */
export function SaveBar({ editing, onComment }: { editing: Editing; onComment: () => void }) {
  const { drafts, failure, isSaving, save, dropAll } = editing
  if (!failure && drafts.length < 2) return null
  const isBesideFields = drafts.some((draft) => editing.problemOf(draft.field_id) !== undefined)
  // With one field, the message beside it is enough.
  if (failure && isBesideFields && drafts.length === 1)
    return (
      <p role="alert" className={styles['heard']}>
        {refusalText(failure)}
      </p>
    )
  return (
    <div className={styles['bar']} role="region" aria-label={text('artifact.unsaved')}>
      {failure && <SaveFailure failure={failure} isBesideFields={isBesideFields} />}
      {drafts.length > 0 && (
        <div className={styles['actions']}>
          <span>{text('artifact.drafts', { count: drafts.length })}</span>
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

/** One line if the fields show the details themselves. */
export function SaveFailure({ failure, isBesideFields }: { failure: Failure; isBesideFields: boolean }) {
  if (!isBesideFields) return <RefusalNotice error={new Refusal(failure)} />
  return (
    <p role="alert" className={styles['why']}>
      {refusalText(failure)}
    </p>
  )
}
