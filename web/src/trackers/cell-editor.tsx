import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { artifactQuery, type OpenArtifact, valueOf } from '../artifacts/artifact-queries.ts'
import { type Draft, draftKeys, draftOf, isSameDraft, mayUpdate } from '../artifacts/draft.ts'
import { EditValue } from '../artifacts/edit-value.tsx'
import { type Base, baseOf } from '../artifacts/save-artifact.ts'
import { ShowValue } from '../artifacts/show-value.tsx'
import { Button } from '../design/button.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { text } from './words.ts'
import styles from './cell-editor.module.css'
import type { CellEdit } from './use-cell-editing.ts'

interface Props {
  edit: CellEdit
  onSave: (base: Base, draft: Draft) => void
  onEnd: () => void
}

/** Writes one field of one artifact, above its cell. What it begins with is read anew: the cell may be older. */
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
  // What others do meanwhile is found out when it is saved, and not while somebody writes.
  const [base] = useState(() => clash?.base ?? baseOf(open))
  const field = open.tracker.fields.find(({ field_id }) => field_id === edit.field.field_id)
  const stored = base.values.find(({ field_id }) => field_id === edit.field.field_id)
  const [draft, setDraft] = useState(() => edit.draft ?? draftOf(edit.field, stored))
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
  const save = () => (isSameDraft(draft, draftOf(field, stored)) ? onEnd() : onSave(base, draft))
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
        chosen={(id) => draftKeys(draftOf({ ...field, field_id: id }, valueOf(open.artifact, id)))}
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

/** Enter ends a line; in longer texts it needs Ctrl or Cmd, and on a button it is the button's. */
function endsByEnter({ target, ctrlKey, metaKey, nativeEvent }: KeyboardEvent): boolean {
  if (nativeEvent.isComposing) return false
  if (ctrlKey || metaKey) return true
  if (target instanceof HTMLSelectElement) return true
  return target instanceof HTMLInputElement && target.type !== 'file' && target.getAttribute('role') !== 'combobox'
}
