import { Type } from 'typebox'
import type { TextFormat } from '../../platform/texts/render-text.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { renderCommonmark } from '../../platform/texts/render-commonmark.ts'
import { renderText } from '../../platform/texts/render-text.ts'
import { isRecord } from '../../platform/wire/schema-shape.ts'
import { xmlElement } from '../../platform/wire/xml-element.ts'
import { textSearch } from '../search/text-search.ts'
import { type FieldType, ValueFault, type WriteItem } from './field-type.ts'
import { count } from './properties.ts'
import { isTextFormat, type StoredText, storedLine, storedText } from './stored-text.ts'

const MOST_BYTES = 65_535

/** Lines of text, with the format that they are written in. */
export const textField: FieldType = {
  type: 'text',
  kind: 'field',
  properties: Type.Object(
    { rows: count(10), cols: count(50), default_value: Type.Optional(Type.String()) },
    { additionalProperties: false },
  ),
  isWritable: true,
  canBeRequired: true,
  isAlphanumeric: true,

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
  readSchema: {
    value: Type.String({ description: 'The source; of `commonmark`, what it looks like.' }),
    format: Type.Enum(['text', 'html']),
    commonmark: Type.Optional(Type.String({ description: 'The source.' })),
    post_processed_value: Type.String({ description: 'Safe HTML, with references turned into links.' }),
  },
  async write(item, _, { viewer, stored }) {
    const { content, format, path } = sourceIn(item)
    const source = checkedContent(content, path)
    // What we show of a text that is written in CommonMark is HTML: whoever sends that back has changed nothing.
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
  flat: (stored) => storedText(stored)?.content ?? null,
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

/** A default is plain text, whatever format it is wanted in. */
function inFormat(format: TextFormat, initial: unknown): string {
  if (typeof initial !== 'string' || initial === '') return ''
  return format === 'html' ? `<p>${renderText('text', initial)}</p>` : initial
}

/** Either form: `value: { content, format }`, or a bare string, whose format stands beside it where fields have names. */
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
