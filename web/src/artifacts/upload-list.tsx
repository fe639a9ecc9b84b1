import { type DragEvent, type ReactNode, useId, useState } from 'react'
import { Button, buttonClass } from '../design/button.tsx'
import { refusalText } from '../design/refusal.tsx'
import { text } from './messages.ts'
import styles from './upload-list.module.css'
import type { Upload } from './use-uploads.ts'

interface Props {
  readonly label: string
  readonly uploads: readonly Upload[]
  readonly onFiles: (files: Iterable<File>) => void
  readonly onRetry: (upload: Upload) => void
  readonly onRemove: (key: number) => void
  readonly autoFocus?: boolean | undefined
  readonly children?: ReactNode
}

/** A drop zone for files, dropped, pasted or chosen, with the progress of each. */
export function UploadDropZone({ label, uploads, onFiles, onRetry, onRemove, autoFocus, children }: Props) {
  const id = useId()
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    event.stopPropagation() // The page takes files that nothing nearer took.
    setOver(false)
    onFiles(event.dataTransfer.files)
  }
  return (
    <div
      className={isOver ? `${styles['place']} ${styles['over']}` : styles['place']}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      onPaste={(event) => {
        if (event.clipboardData.files.length === 0) return
        event.preventDefault()
        event.stopPropagation()
        onFiles(event.clipboardData.files)
      }}
    >
      {children}
      <UploadList uploads={uploads} onRetry={onRetry} onRemove={onRemove} />
      <div className={styles['add']}>
        <input
          id={id}
          className={styles['input']}
          type="file"
          multiple
          autoFocus={autoFocus}
          aria-label={text('files.add_to', { label })}
          onChange={({ target }) => {
            onFiles([...(target.files ?? [])])
            target.value = ''
          }}
        />
        <label htmlFor={id} className={buttonClass()}>
          {text('files.add')}
        </label>
        <span className={styles['hint']}>{text('files.hint')}</span>
      </div>
    </div>
  )
}

export function UploadList({ uploads, onRetry, onRemove }: Pick<Props, 'uploads' | 'onRetry' | 'onRemove'>) {
  if (uploads.length === 0) return null
  return (
    <ul className={styles['uploads']} aria-live="polite">
      {uploads.map((upload) => {
        const { key, file, part, failure } = upload
        return (
          <li key={key}>
            <span className={styles['name']}>{file.name}</span>
            {failure ? (
              <>
                <span className={styles['trouble']}>{refusalText(failure)}</span>
                <Button onPress={() => onRetry(upload)}>{text('files.go_on')}</Button>
              </>
            ) : (
              <progress value={part} max={1} aria-label={text('files.sending', { name: file.name })} />
            )}
            {failure && (
              <Button kind="quiet" onPress={() => onRemove(key)} aria-label={text('pick.remove', { label: file.name })}>
                <span aria-hidden>×</span>
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
