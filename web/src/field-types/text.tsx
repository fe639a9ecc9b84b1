import { LongTextField } from '../design/field.tsx'
import { MarkdownField } from '../artifacts/markdown/markdown-field.tsx'
import { text as message } from '../artifacts/messages.ts'
import { Preview } from '../artifacts/preview.tsx'
import { RichText, toPlainLine } from '../artifacts/rich-text.tsx'
import { isJsonRecord, jsonText } from '../json.ts'
import type { EditorProps, FieldEditing, FieldType, PreviewProps } from './field-type.ts'
import { TEXT_FILTER } from './parts/filters.ts'
import { TEXT_COLUMN } from './parts/table-import.ts'
import { TextOfArtifact } from './parts/text-of-artifact.tsx'
import type { TextValue } from './values.ts'

const MARKDOWN = 'commonmark'

const editing: FieldEditing<TextValue> = {
  toDraft: ({ field_id }, value) => ({ field_id, value: storedText(value) }),
  defaultDraft: ({ field_id, default_value }) => ({ field_id, value: formatted(default_value) }),
  optimistic({ field_id, type, label }, draft) {
    const { content, format } = formatted(draft.value)
    const html = format === 'html' ? '' : escaped(content)
    return { field_id, type, label, value: content, format: 'text', post_processed_value: html }
  },
  Editor: EditText,
  sourceOfDraft: ({ value }) => formatted(value).content,
  Preview: PreviewText,
}

export const text: FieldType<TextValue> = {
  type: 'text',
  kind: 'field',
  isWide: true,
  isEmpty: ({ value }) => !value,
  show: ({ post_processed_value: html = '' }) => <RichText html={html} />,
  showShort(value) {
    const isHtml = value.format === 'html' && value.commonmark === undefined
    return toPlainLine(isHtml ? (value.post_processed_value ?? '') : sourceOf(value), isHtml)
  },
  PageView: TextOfArtifact,
  source: sourceOf,
  editing,
  column: { width: 14, isSortable: true },
  filter: TEXT_FILTER,
  canBeRequired: true,
  fromTable: TEXT_COLUMN,
  initial: 'paragraph',
  semantics: ['title', 'description'],
}

function sourceOf({ commonmark, value }: TextValue): string {
  return commonmark ?? value ?? ''
}

interface FormattedText {
  readonly content: string
  readonly format: string
}

function storedText(value: TextValue | undefined): FormattedText {
  if (value?.commonmark !== undefined) return { content: value.commonmark, format: MARKDOWN }
  return { content: value?.value ?? '', format: value?.format || MARKDOWN }
}

/** The content and the format in a draft or a default value. */
function formatted(given: unknown): FormattedText {
  if (!isJsonRecord(given)) return { content: '', format: MARKDOWN }
  return { content: jsonText(given['content']), format: jsonText(given['format']) || MARKDOWN }
}

function escaped(content: string): string {
  const safe = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<p>${safe.replaceAll('\n', '<br>')}</p>`
}

function EditText({ field, draft, onChange, frame }: EditorProps) {
  const { field_id } = field
  const { content, format } = formatted(draft.value)
  const write = (typed: string) => onChange({ field_id, value: { content: typed, format } })
  const isMarkdown = format !== 'html' && format !== 'text'
  const notes = [
    frame.hint,
    format === 'html' ? message('edit.html') : isMarkdown ? message('edit.markdown') : undefined,
  ]
  const framed = { ...frame, hint: notes.filter((note) => note !== undefined).join(' ') || undefined, value: content }
  if (isMarkdown) return <MarkdownField {...framed} onChange={write} />
  return <LongTextField {...framed} onChange={({ target }) => write(target.value)} />
}

function PreviewText({ artifact, field, draft, value }: PreviewProps<TextValue>) {
  return (
    <Preview
      artifact={artifact}
      field={field}
      value={formatted(draft.value)}
      unchanged={value?.post_processed_value || undefined}
    />
  )
}
