import { Type } from 'typebox'
import type { TextFormat } from '../../../platform/rich-text/render-text.ts'
import type { Viewer } from '../../../platform/http/viewer.ts'
import { renderCommonmark } from '../../../platform/rich-text/render-commonmark.ts'
import { renderText } from '../../../platform/rich-text/render-text.ts'
import { isRecord } from '../../../platform/wire/schema-shape.ts'
import { xmlElement } from '../../../platform/wire/xml-element.ts'
import { textSearch } from '../../search/text-search.ts'
import { type FieldType, ValueFault, type WriteItem } from '../field-type.ts'
import { count } from '../properties.ts'
import { holdsText, isTextFormat, type StoredText, storedLine, storedText } from '../stored-text.ts'

const MOST_BYTES = 65_535

/** Multi-line text with its format. */
export const textField: FieldType = {
  type: 'text',
  kind: 'field',
  schemaName: 'Text',
  properties: Type.Object(
    { rows: count(10), cols: count(50), default_value: Type.Optional(Type.String()) },
    { additionalProperties: false },
  ),
  isWritable: true,
  canBeRequired: true,
  isAlphanumeric: true,
  needs: ['reference_targets'],
  isMultiline: true,
  mayBecome: holdsText,

  readDefault: (given) => {
    const content = given === undefined || given === null ? '' : checkedContent(given, 'default')
    return content === '' ? null : content
  },
  writeDefault: (element) => element.default,
  describe({ properties, default: initial }, { viewer }) {
    const format = preferredFormat(viewer)
    return {
      default_value: { format, content: inFormat(format, initial) },
      specific_properties: { ...properties, default_value: initial ?? '' },
    }
  },

  read(stored, _, reading) {
    const text = storedText(stored)
    if (!text) return undefined
    const { format, content } = text
    const html = renderText(format, content)
    const post_processed_value = reading.linked(html)
    if (format !== 'commonmark') return { value: content, format, post_processed_value }
    return { value: html, format: 'html', commonmark: content, post_processed_value }
  },
  blank: { stored: { format: 'text', content: '' } },
  readSchema: {
    value: Type.String({ description: 'The source; for `commonmark`, the rendered HTML.' }),
    format: Type.Enum(['text', 'html']),
    commonmark: Type.Optional(Type.String({ description: 'The source.' })),
    post_processed_value: Type.String({ description: 'Sanitized HTML with references turned into links.' }),
  },
  writeSchema: {
    value: Type.Union([
      Type.String(),
      Type.Object({ content: Type.String(), format: Type.Optional(Type.Enum(['text', 'html', 'commonmark'])) }),
    ]),
  },
  async write(item, _, { viewer, stored }) {
    const { content, format, path } = sourceIn(item)
    const source = checkedContent(content, path)
    // CommonMark texts are shown as HTML; sending that HTML back unchanged is a no-op.
    if (format === undefined && isRendering(source, stored)) return stored
    const text: StoredText = { format: isTextFormat(format) ? format : preferredFormat(viewer), content: source }
    return text
  },
  async defaultFor({ default: initial }, { viewer }) {
    const format = preferredFormat(viewer)
    return initial === null ? undefined : { format, content: inFormat(format, initial) }
  },
  isEmpty: (stored) => (storedText(stored)?.content ?? '') === '',
  isSame(stored, given) {
    const [one, other] = [storedText(stored), storedText(given)]
    if (!one || !other) return ((one ?? other)?.content ?? '') === ''
    return one.content === other.content && one.format === other.format
  },
  search: textSearch('content'),
  texts(stored) {
    const text = storedText(stored)
    return text && text.content !== '' ? [text] : []
  },
  fromPlainText: (content) => ({ format: 'text', content }),
  flat: (stored) => storedText(stored)?.content ?? null,
  fromCell: (value, stored) => ({ value, format: storedText(stored)?.format }),
  migrate(stored, _, { type }) {
    if (type === 'text') return { value: stored, isPartial: false }
    return type === 'string' ? { value: storedLine(stored), isPartial: false } : undefined
  },
  archive(stored) {
    const { format, content } = storedText(stored) ?? { format: 'text', content: '' }
    return { attributes: { type: 'text' }, content: [xmlElement('value', { format }, content)] }
  },
}

function preferredFormat({ text_format = 'commonmark' }: Viewer): TextFormat {
  return text_format
}

/** Converts a default, which is plain text, to the requested format. */
function inFormat(format: TextFormat, initial: unknown): string {
  if (typeof initial !== 'string' || initial === '') return ''
  return format === 'html' ? `<p>${renderText('text', initial)}</p>` : initial
}

/** Accepts `value: { content, format }` or a plain string; items by name may have a `format` beside it. */
function sourceIn({ value, format, byName }: WriteItem): { content: unknown; format: unknown; path: string } {
  if (isRecord(value)) return { content: value['content'], format: value['format'] ?? null, path: 'value.content' }
  return { content: value, format: byName ? format : undefined, path: 'value' }
}

function checkedContent(given: unknown, path: string): string {
  if (given === undefined || given === null)
    throw new ValueFault('value_invalid', { path, rule: 'required', cause: 'value_missing' })
  if (typeof given !== 'string') throw new ValueFault('value_invalid', { path, rule: 'type', cause: 'not_a_string' })
  if (Buffer.byteLength(given) <= MOST_BYTES) return given
  const allowed = { maximum: MOST_BYTES }
  throw new ValueFault('value_invalid', { path, rule: 'max_length', cause: 'too_long', allowed })
}

function isRendering(source: string, stored: unknown): boolean {
  const text = storedText(stored)
  return text?.format === 'commonmark' && renderCommonmark(text.content) === source
}
