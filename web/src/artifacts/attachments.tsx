import type { Artifact, TrackerField, Value } from '@waypost/sdk/api'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { text } from './words.ts'
import { attachFile } from './attach-file.ts'
import styles from './attachments.module.css'
import { mayUpdate } from './draft.ts'
import { type Attachment, readValue } from './read-value.ts'
import { ShowValue, sizeText } from './show-value.tsx'
import { UploadPlace } from './upload-list.tsx'
import { useUploads } from './use-uploads.ts'

interface Props {
  readonly artifact: Artifact
  readonly field: TrackerField
  readonly value: Value | undefined
}

/** The files of a field, with pictures where there are any. What is dropped here is attached as soon as it has come. */
export function Attachments({ artifact: { id }, field, value }: Props) {
  const { field_id } = field
  const shown = readValue(value)
  const files = shown.kind === 'files' ? shown.files : []
  const { uploads, add, retry, remove } = useUploads(
    field.field_id,
    (file, { name }) => void attachFile(id, field_id, { add: [file] }, text('files.attached', { name })),
  )
  const detach = ({ id: file, name }: Attachment) => {
    const undo = () => void attachFile(id, field_id, { add: [file] }, text('files.attached', { name }))
    void attachFile(id, field_id, { remove: [file] }, text('files.detached', { name }), undo)
  }
  const list = files.length > 0 && (
    <ul className={styles['files']}>
      {files.map((file) => (
        <li key={file.id} className={styles['file']}>
          <Picture file={file} />
          <span className={styles['name']}>
            <a href={file.url}>{file.name}</a>
            <small>{sizeText(file.size)}</small>
            {file.description !== '' && <small>{file.description}</small>}
          </span>
          {mayUpdate(field) && (
            <Button kind="quiet" aria-label={text('pick.remove', { label: file.name })} onPress={() => detach(file)}>
              <span aria-hidden>×</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
  if (!mayUpdate(field)) return list || <ShowValue value={undefined} />
  return (
    <UploadPlace label={field.label} uploads={uploads} onFiles={add} onRetry={retry} onRemove={remove}>
      {list}
    </UploadPlace>
  )
}

/** Some pictures cannot be drawn; then their names are enough. */
function Picture({ file: { url, previewUrl } }: { file: Attachment }) {
  const [isBroken, setBroken] = useState(false)
  if (previewUrl === undefined || isBroken) return null
  return (
    <a href={url} tabIndex={-1} aria-hidden>
      <img src={previewUrl} alt="" loading="lazy" onError={() => setBroken(true)} />
    </a>
  )
}
