import { useState } from 'react'
import { text } from '../../artifacts/messages.ts'
import styles from '../../artifacts/pick.module.css'
import { UploadDropZone } from '../../artifacts/upload-list.tsx'
import { useUploads } from '../../artifacts/use-uploads.ts'
import { Notes } from '../../design/field.tsx'
import { jsonObjects, jsonText } from '../../json.ts'
import type { EditorProps } from '../field-type.ts'

/** The files of a field: stored ones and running uploads. */
export function EditFiles({ field, draft, stored, onChange, label, hint, error, isBare, autoFocus }: EditorProps) {
  const { field_id } = field
  const [names, setNames] = useState<ReadonlyMap<number, string>>(new Map())
  const ids = Array.isArray(draft.value) ? draft.value.filter((id) => typeof id === 'number') : []
  const { uploads, add, retry, remove } = useUploads(field_id, (id, file) => {
    setNames((known) => new Map(known).set(id, file.name))
    onChange({ field_id, value: [...ids, id] })
  })
  const kept = jsonObjects(stored?.['file_descriptions'])
  const nameOf = (id: number) =>
    names.get(id) ?? (jsonText(kept.find((file) => file['id'] === id)?.['name']) || text('files.numbered', { id }))
  return (
    <div className={styles['field']} role="group" aria-label={label}>
      {!isBare && (
        <span className={styles['label']} aria-hidden>
          {label}
        </span>
      )}
      <UploadDropZone
        label={field.label}
        uploads={uploads}
        onFiles={add}
        onRetry={retry}
        onRemove={remove}
        autoFocus={autoFocus}
      >
        {ids.length > 0 && (
          <ul className={styles['chips']} aria-label={text('pick.chosen', { label: field.label })}>
            {ids.map((id) => (
              <li key={id} className={styles['chip']}>
                {nameOf(id)}
                <button
                  type="button"
                  aria-label={text('pick.remove', { label: nameOf(id) })}
                  onClick={() => onChange({ field_id, value: ids.filter((each) => each !== id) })}
                >
                  <span aria-hidden>×</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </UploadDropZone>
      <Notes id={String(field_id)} hint={hint} error={error} />
    </div>
  )
}
