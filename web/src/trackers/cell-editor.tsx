import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { artifactQuery, type OpenArtifact, fieldValue } from '../artifacts/artifact-queries.ts'
import { isPickable } from '../artifacts/key-fields.ts'
import { ValuePicker } from '../artifacts/value-picker.tsx'
import { type EditBase, baseOf } from '../artifacts/save-artifact.ts'
import { Button } from '../design/button.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { isSameDraft, mayUpdate, toDraft } from '../field-types/drafts.ts'
import type { ValueDraft } from '../field-types/field-type.ts'
import { EditValue, ShowValue } from '../field-types/field-views.tsx'
import { storedKeys } from '../field-types/parts/list-keys.ts'
import { text } from './messages.ts'
import styles from './cell-editor.module.css'
import type { CellEdit } from './use-cell-editing.ts'

interface Props {
  edit: CellEdit
  onSave: (base: EditBase, draft: ValueDraft) => void
  onEnd: () => void
}

/** Edits one field of one artifact over its cell. The value is read again, because the cell may be stale. */
export function CellEditor({ edit, onSave, onEnd }: Props) {
  const { data: open, error } = useQuery({ ...artifactQuery(edit.id), staleTime: 0 })
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [open === undefined])
  return (
    <div
      ref={panel}
      className={styles['editor']}
      role="group"
      aria-label={text('table.edit_what', { field: edit.field.label, name: edit.xref })}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onEnd()
        event.stopPropagation()
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      {open ? (
        <Writing open={open} edit={edit} onSave={onSave} onEnd={onEnd} />
      ) : error ? (
        <RefusalNotice error={error} />
      ) : null}
    </div>
  )
}

function Writing({ open, edit, onSave, onEnd }: Props & { open: OpenArtifact }) {
  const { clash, refusal } = edit
  const anchor = useRef<HTMLSpanElement>(null)
  // Changes by other people are detected on save, not while typing.
  const [base] = useState(() => clash?.base ?? baseOf(open))
  const field = open.tracker.fields.find(({ field_id }) => field_id === edit.field.field_id)
  const stored = base.values.find(({ field_id }) => field_id === edit.field.field_id)
  const [draft, setDraft] = useState(() => edit.draft ?? toDraft(edit.field, stored))
  if (!field || !mayUpdate(field))
    return (
      <>
        <p>{text('table.frozen', { field: edit.field.label })}</p>
        <div className={styles['actions']}>
          <Button autoFocus onPress={onEnd}>
            {text('close')}
          </Button>
        </div>
      </>
    )
  if (isPickable(field) && !clash && refusal === undefined)
    return (
      <>
        <span ref={anchor} className={styles['anchor']} />
        <ValuePicker
          open={open}
          field={field}
          anchor={anchor}
          onPick={(picked) => onSave(base, picked)}
          onClose={onEnd}
        />
      </>
    )
  const save = () => (isSameDraft(draft, toDraft(field, stored)) ? onEnd() : onSave(base, draft))
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !endsByEnter(event)) return
    event.preventDefault()
    save()
  }
  return (
    <div onKeyDown={press}>
      {clash && (
        <div className={styles['clash']} role="alert">
          <p>{text('table.clash', { who: clash.who })}</p>
          <ShowValue value={clash.clash.theirs} field={field} />
        </div>
      )}
      <EditValue
        tracker={open.tracker}
        field={field}
        draft={draft}
        stored={stored}
        chosen={(id) => storedKeys(fieldValue(open.artifact, id))}
        error={refusal}
        isBare
        autoFocus
        onChange={setDraft}
      />
      <div className={styles['actions']}>
        <Button onPress={onEnd}>{text(clash ? 'table.take_theirs' : 'cancel')}</Button>
        <Button kind="primary" onPress={save}>
          {text(clash ? 'table.write_mine' : 'artifact.save')}
        </Button>
      </div>
    </div>
  )
}

/** Enter saves; in multi-line inputs it needs Ctrl or Cmd, and on a button it presses the button. */
function endsByEnter({ target, ctrlKey, metaKey, nativeEvent }: KeyboardEvent): boolean {
  if (nativeEvent.isComposing) return false
  if (ctrlKey || metaKey) return true
  if (target instanceof HTMLSelectElement) return true
  return target instanceof HTMLInputElement && !target.matches('[type=file], [role=combobox]')
}
