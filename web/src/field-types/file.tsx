import type { FieldEditing, FieldType } from './field-type.ts'
import { Attachments } from './parts/attachments.tsx'
import { EditFiles } from './parts/edit-files.tsx'
import { fileSizeText } from './parts/file-size.ts'
import { TEXT_FILTER } from './parts/filters.ts'
import styles from './parts/values.module.css'
import type { FileValue } from './values.ts'

const editing: FieldEditing<FileValue> = {
  toDraft: ({ field_id }, value) => ({ field_id, value: (value?.file_descriptions ?? []).map(({ id }) => id) }),
  defaultDraft: ({ field_id }) => ({ field_id, value: [] }),
  // Addresses of new files come with the response.
  optimistic: (_field, _draft, stored) => stored,
  Editor: EditFiles,
  isEditedInPlace: true,
  isNeverBulk: true,
  acceptsFiles: true,
}

export const file: FieldType<FileValue> = {
  type: 'file',
  kind: 'field',
  isWide: true,
  isEmpty: ({ file_descriptions: files = [] }) => files.length === 0,
  show: ({ file_descriptions: files = [] }) => (
    <ul className={styles['list']}>
      {files.map(({ id, name, description, size, html_url: url }) => (
        <li key={id}>
          <a href={url}>{name}</a> <small>{fileSizeText(size)}</small>
          {description !== '' && <small> {description}</small>}
        </li>
      ))}
    </ul>
  ),
  showShort: (value) => names(value).join(', '),
  PageView: Attachments,
  entries: names,
  isCollection: true,
  editing,
  column: { width: 8.5 },
  filter: TEXT_FILTER,
  canBeRequired: true,
}

function names({ file_descriptions: files = [] }: FileValue): readonly string[] {
  return files.map(({ name }) => name)
}
