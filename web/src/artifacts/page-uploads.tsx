import type { OpenArtifact } from './artifact-queries.ts'
import { mayUpdate } from '../field-types/drafts.ts'
import { fieldType } from '../field-types/field-types.ts'
import { attachFile } from './attach-file.ts'
import { text } from './messages.ts'
import styles from './page-uploads.module.css'
import { UploadList } from './upload-list.tsx'
import { usePageFiles } from './use-page-files.ts'
import { useUploads } from './use-uploads.ts'

/** Attaches files that are dropped or pasted beside the places for files. */
export function PageUploads({ open: { artifact, tracker } }: { readonly open: OpenArtifact }) {
  const field = tracker.fields.find((each) => fieldType(each).editing?.acceptsFiles && mayUpdate(each))
  const { uploads, add, retry, remove } = useUploads(field?.field_id ?? 0, (file, { name }) => {
    if (field) void attachFile(artifact.id, field.field_id, { add: [file] }, text('files.attached', { name }))
  })
  const isOver = usePageFiles(field && add)
  if (!isOver && uploads.length === 0) return null
  return (
    <div className={styles['uploads']}>
      <UploadList uploads={uploads} onRetry={retry} onRemove={remove} />
      {isOver && <p className={styles['over']}>{text('files.drop_anywhere', { label: field?.label ?? '' })}</p>}
    </div>
  )
}
