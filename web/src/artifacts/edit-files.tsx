import { useState } from 'react'
import { Notes } from '../design/field.tsx'
import { text } from './words.ts'
import type { EditorProps } from './edit-value.tsx'
import { listIn, numberIn, recordsIn, textIn } from './loose.ts'
import styles from './pick.module.css'
import { UploadPlace } from './upload-list.tsx'
import { useUploads } from './use-uploads.ts'

/** The files of a field: those that are there, and those that come. */
export function EditFiles({ field, draft, stored, onChange, label, hint, error, isBare, autoFocus }: EditorProps) {
  const { field_id } = field
  const [names, setNames] = useState<ReadonlyMap<number, string>>(new Map())
  const ids = listIn(draft.value).flatMap((id) => numberIn(id) ?? [])
  const { uploads, add, retry, remove } = useUploads(field_id, (id, file) => {
    setNames((known) => new Map(known).set(id, file.name))
    onChange({ field_id, value: [...ids, id] })
  })
  const kept = recordsIn(stored?.['file_descriptions'])
  const nameOf = (id: number) =>
    names.get(id) ?? (textIn(kept.find((file) => file['id'] === id)?.['name']) || text('files.numbered', { id }))
  return (
    <div className={styles['field']} role="group" aria-label={label}>
      {!isBare && (
        <span className={styles['label']} aria-hidden>
          {label}
        </span>
      )}
      <UploadPlace
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
      </UploadPlace>
      <Notes id={String(field_id)} hint={hint} error={error} />
    </div>
  )
}
