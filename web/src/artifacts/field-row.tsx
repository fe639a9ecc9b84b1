import type { TrackerField } from '@waypost/sdk/api'
import { ChevronDown, ChevronRight, Pencil } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useRef } from 'react'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { Hidden } from '../design/page.tsx'
import { opensEditor } from '../field-types/drafts.ts'
import { OpenProvider } from '../field-types/due.tsx'
import { fieldType, isEmptyValue } from '../field-types/field-types.ts'
import { isPickable } from './key-fields.ts'
import { EditValue, ShowValue } from '../field-types/field-views.tsx'
import { text } from './messages.ts'
import { type OpenArtifact, fieldValue } from './artifact-queries.ts'
import { Clamp } from './clamp.tsx'
import styles from './field-row.module.css'
import type { Editing } from './use-editing.ts'

interface Props {
  readonly open: OpenArtifact
  readonly field: TrackerField
  readonly editing: Editing
  /** A property in one line, a part of the column with a heading, or the description without one. */
  readonly look: 'property' | 'section' | 'prose'
  /** Opens the picker of this field, or its editor beside other unsaved changes. */
  readonly onPick: (field: TrackerField) => void
}

/** A field and its value; editable in place with permission. */
export function FieldRow({ open, field, editing, look, onPick }: Props) {
  const { field_id, label } = field
  const value = fieldValue(open.artifact, field_id)
  const draft = editing.draftFor(field_id)
  const problem = editing.problemOf(field_id)
  const row = useRef<HTMLDivElement>(null)
  const type = fieldType(field)
  const { PageView, isWide, editing: { Preview } = {} } = type
  const isLongText = isWide && type.source !== undefined
  const isWritable = opensEditor(field)
  const leave = () => {
    editing.drop(field_id)
    // Return the focus to the button that opened the editor.
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
      <div ref={row} className={styles['row']} data-field={field_id} onKeyDown={key}>
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
        {Preview && <Preview artifact={open.artifact.id} field={field} draft={draft} value={value} />}
        {/* Changes to several fields are saved together by the bar at the bottom. */}
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
    if (!isWritable || isOther || String(getSelection()) !== '') return
    if (isPickable(field)) onPick(field)
    else editing.begin(field)
  }
  const isUnset = isEmptyValue(value)
  const shown =
    isUnset && isWritable ? (
      <span className={styles['unset']}>{text(look === 'prose' ? 'artifact.add_text' : 'artifact.add_value')}</span>
    ) : PageView ? (
      <PageView artifact={open.artifact.id} field={field} value={value} />
    ) : (
      <OpenProvider isOpen={open.artifact.is_open}>
        <ShowValue value={value} field={field} />
      </OpenProvider>
    )
  if (look === 'section' && type.isFolded && value)
    return (
      <details className={`${styles['row']} ${styles['section']} ${styles['folded']}`} data-field={field_id}>
        <summary>
          <Icon of={ChevronRight} size={14} />
          <h2 className={styles['heading']}>{label}</h2>
          <span>{type.entries?.(value).length}</span>
        </summary>
        <div className={styles['value']}>{shown}</div>
      </details>
    )
  return (
    <div
      ref={row}
      className={`${styles['row']} ${styles[look]}`}
      data-field={field_id}
      data-own-headings={type.hasOwnHeadings}
    >
      <div className={styles['head']}>
        {look === 'section' && type.hasOwnHeadings ? (
          <h2>
            <Hidden>{label}</Hidden>
          </h2>
        ) : look === 'section' ? (
          <h2 className={styles['heading']}>{label}</h2>
        ) : look === 'prose' ? (
          <Hidden>{label}</Hidden>
        ) : (
          <span className={styles['label']}>{label}</span>
        )}
        {isWritable && (
          <Button kind="icon" aria-label={text('artifact.edit_what', { label })} onPress={() => editing.begin(field)}>
            <Icon of={Pencil} size={14} />
          </Button>
        )}
      </div>
      <div className={isWritable ? `${styles['value']} ${styles['writable']}` : styles['value']} onClick={beginByClick}>
        {isLongText && !isUnset ? <Clamp>{shown}</Clamp> : shown}
        {look === 'property' && isWritable && isPickable(field) && !isUnset && (
          <span className={styles['caret']} aria-hidden>
            <Icon of={ChevronDown} size={12} />
          </span>
        )}
      </div>
    </div>
  )
}

/** Enter saves; in multi-line inputs it needs Ctrl or Cmd. */
function isSaving({ target, ctrlKey, metaKey, nativeEvent }: KeyboardEvent): boolean {
  if (nativeEvent.isComposing) return false
  if (ctrlKey || metaKey) return true
  return target instanceof HTMLInputElement && !target.matches('[type=file], [role=combobox]')
}
