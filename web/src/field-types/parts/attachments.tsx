import { FileText, X } from 'lucide-react'
import { useState } from 'react'
import { attachFile } from '../../artifacts/attach-file.ts'
import { text } from '../../artifacts/messages.ts'
import { UploadDropZone } from '../../artifacts/upload-list.tsx'
import { useUploads } from '../../artifacts/use-uploads.ts'
import { Button } from '../../design/button.tsx'
import { Icon } from '../../design/icon.tsx'
import { hasUpdatePermission, type PageViewProps } from '../field-type.ts'
import type { FileDescription, FileValue } from '../values.ts'
import styles from './attachments.module.css'
import { fileSizeText } from './file-size.ts'
import { Nothing } from './nothing.tsx'

/** The files of a field, with previews. A dropped file is attached as soon as its upload ends. */
export function Attachments({ artifact: id, field, value }: PageViewProps<FileValue>) {
  const { field_id } = field
  const files = value?.file_descriptions ?? []
  const { uploads, add, retry, remove } = useUploads(
    field.field_id,
    (file, { name }) => void attachFile(id, field_id, { add: [file] }, text('files.attached', { name })),
  )
  const detach = ({ id: file, name }: FileDescription) => {
    const undo = () => void attachFile(id, field_id, { add: [file] }, text('files.attached', { name }))
    void attachFile(id, field_id, { remove: [file] }, text('files.detached', { name }), undo)
  }
  const list = files.length > 0 && (
    <ul className={styles['files']}>
      {files.map((file) => (
        <li key={file.id} className={styles['file']}>
          <Picture file={file} />
          <span className={styles['name']}>
            <a href={file.html_url}>{file.name}</a>
            <small>{fileSizeText(file.size)}</small>
            {file.description !== '' && <small>{file.description}</small>}
          </span>
          {hasUpdatePermission(field) && (
            <Button kind="icon" aria-label={text('pick.remove', { label: file.name })} onPress={() => detach(file)}>
              <Icon of={X} />
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
  if (!hasUpdatePermission(field)) return list || <Nothing />
  return (
    <div className={list ? styles['attached'] : undefined}>
      <UploadDropZone label={field.label} uploads={uploads} onFiles={add} onRetry={retry} onRemove={remove}>
        {list}
      </UploadDropZone>
    </div>
  )
}

/** An icon, and the preview once it is there: the first viewer waits until it is rendered. */
function Picture({ file: { html_url: url, html_preview_url: previewUrl } }: { file: FileDescription }) {
  const [state, setState] = useState<'loading' | 'shown' | 'broken'>('loading')
  const icon = (
    <span className={styles['icon']}>
      <Icon of={FileText} size={20} />
    </span>
  )
  if (!previewUrl || state === 'broken') return icon
  return (
    <a href={url} tabIndex={-1} aria-hidden>
      <span className={styles['picture']} data-loading={state === 'loading' || undefined}>
        {state === 'loading' && icon}
        <img
          src={previewUrl}
          alt=""
          loading="lazy"
          onLoad={() => setState('shown')}
          onError={() => setState('broken')}
        />
      </span>
    </a>
  )
}
