import type { TextFormat } from '../../platform/rich-text/render-text.ts'
import { toPlainText } from '../../platform/rich-text/plain-text.ts'
import type { FieldType } from './field-type.ts'
import { isRecord } from '../../platform/wire/schema-shape.ts'

export interface StoredText {
  readonly format: TextFormat
  readonly content: string
}

export function isTextFormat(given: unknown): given is TextFormat {
  return given === 'text' || given === 'html' || given === 'commonmark'
}

/**
 * Reads a stored value of a `string` or `text` field. The type of a field can change between the two without rewriting
 * its values and history, so both forms occur.
 */
export function storedText(stored: unknown): StoredText | undefined {
  if (typeof stored === 'string') return { format: 'text', content: stored }
  if (!isRecord(stored)) return undefined
  const { format, content } = stored
  return isTextFormat(format) && typeof content === 'string' ? { format, content } : undefined
}

/** Whether the values of a type are stored as these texts. */
export function holdsText({ type }: Pick<FieldType, 'type'>): boolean {
  return type === 'string' || type === 'text'
}

/** The stored text as one line. */
export function storedLine(stored: unknown): string | undefined {
  if (typeof stored === 'string') return stored
  const text = storedText(stored)
  return text && toPlainText(text.format, text.content)
}
