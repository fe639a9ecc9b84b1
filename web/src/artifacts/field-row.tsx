import type { TrackerField } from '@waypost/sdk/api'
import { type KeyboardEvent, type MouseEvent, useRef } from 'react'
import { Button } from '../design/button.tsx'
import { text } from './words.ts'
import { type OpenArtifact, valueOf } from './artifact-queries.ts'
import { Attachments } from './attachments.tsx'
import { mayUpdate, textOfDraft } from './draft.ts'
import { EditValue } from './edit-value.tsx'
import styles from './field-row.module.css'
import { LinkedArtifacts } from './linked-artifacts.tsx'
import { textIn } from './loose.ts'
import { Preview } from './preview.tsx'
import { readValue } from './read-value.ts'
import { ShowValue } from './show-value.tsx'
import type { Editing } from './use-editing.ts'

interface Props {
  readonly open: OpenArtifact
  readonly field: TrackerField
  readonly editing: Editing
}

/** A field and what it holds; whoever may writes it in its place. */
export function FieldRow({ open, field, editing }: Props) {
  const { field_id, label } = field
  const value = valueOf(open.artifact, field_id)
  const draft = editing.draftFor(field_id)
  const problem = editing.problemOf(field_id)
  const row = useRef<HTMLDivElement>(null)
  const isWritable = mayUpdate(field) && field.type !== 'file'
  const leave = () => {
    editing.drop(field_id)
    // The keyboard goes back to where it came from.
    setTimeout(() => row.current?.querySelector('button')?.focus())
  }
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Escape') leave()
    else if (event.key !== 'Enter' || !isSaving(event)) return
    else void editing.save()
    event.preventDefault()
    event.stopPropagation()
  }
  if (draft)
    return (
      <div ref={row} className={styles['row']} onKeyDown={key}>
        <EditValue
          tracker={open.tracker}
          field={field}
          draft={draft}
          stored={value}
          chosen={editing.chosen}
          error={problem}
          onChange={editing.change}
          autoFocus={!editing.failure || problem !== undefined}
        />
        {field.type === 'text' && (
          <Preview
            artifact={open.artifact.id}
            field={field}
            value={textOfDraft(draft)}
            unchanged={textIn(value?.['post_processed_value']) || undefined}
          />
        )}
        {/* Several fields are saved together, at the bottom of the page. */}
        <div className={styles['actions']}>
          {editing.drafts.length === 1 && (
            <Button kind="primary" isDisabled={editing.isSaving} onPress={() => void editing.save()}>
              {text('artifact.save')}
            </Button>
          )}
          <Button onPress={leave}>{text('cancel')}</Button>
        </div>
      </div>
    )
  const beginByClick = ({ target }: MouseEvent) => {
    const isOther = target instanceof Element && target.closest('a, button, input, label, details') !== null
    if (isWritable && !isOther && String(getSelection()) === '') editing.begin(field)
  }
  return (
    <div ref={row} className={styles['row']}>
      <div className={styles['head']}>
        <span className={styles['label']}>{label}</span>
        {isWritable && (
          <Button kind="quiet" aria-label={text('artifact.edit_what', { label })} onPress={() => editing.begin(field)}>
            {text('artifact.edit')}
          </Button>
        )}
      </div>
      <div className={isWritable ? `${styles['value']} ${styles['writable']}` : styles['value']} onClick={beginByClick}>
        {field.type === 'file' ? (
          <Attachments artifact={open.artifact} field={field} value={value} />
        ) : field.type === 'art_link' && readValue(value).kind === 'links' ? (
          <LinkedArtifacts value={value} field={field} />
        ) : (
          <ShowValue value={value} field={field} />
        )}
      </div>
    </div>
  )
}

/** Enter ends a line; where it means something else, Ctrl or Cmd is held as well. */
function isSaving({ target, ctrlKey, metaKey, nativeEvent }: KeyboardEvent): boolean {
  if (nativeEvent.isComposing) return false
  if (ctrlKey || metaKey) return true
  return target instanceof HTMLInputElement && target.type !== 'file' && target.getAttribute('role') !== 'combobox'
}
